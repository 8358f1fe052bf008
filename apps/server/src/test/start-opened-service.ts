import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import type { UseCases } from "@docket/core"
import { type OpenedRuntime, openRuntime } from "../open-runtime.ts"
import { type Service, startService } from "../start-service.ts"
import { asLocal } from "./as-local.ts"

/** The real service over SQLite, without web pages, and what it opened. */
export interface OpenedService extends Service {
  /** The project, which contains the data directory. */
  directory: string
  opened: OpenedRuntime
  /** The use cases of the local user. */
  local: UseCases
  /** What it reported to who runs it. */
  reported: string[]
  remove(): Promise<void>
}

/**
 * @param config of the project, which is then trusted
 * @param own configuration of the user
 */
export async function startOpenedService(config?: object, own: object = {}): Promise<OpenedService> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), "docket-opened-")))
  if (config) await writeFile(path.join(directory, "docket.json"), JSON.stringify(config))
  const reported: string[] = []
  const opening = Promise.withResolvers<OpenedRuntime>()
  const data = path.join(directory, ".data")
  const service = await startService(
    {
      projects: [directory],
      port: 0,
      host: "127.0.0.1",
      web: false,
      trust: config !== undefined,
      data,
      config: [JSON.stringify(own)],
    },
    {
      async openRuntime(given) {
        opening.resolve(await openRuntime(given))
        return opening.promise
      },
      report: (line) => void reported.push(line),
      log: () => undefined,
    },
  )
  const opened = await opening.promise
  return {
    ...service,
    directory,
    opened,
    reported,
    local: asLocal(opened.runtime),
    async remove() {
      await service.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
