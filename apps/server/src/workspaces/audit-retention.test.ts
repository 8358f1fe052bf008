import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createAuditLog, createIdSource } from "@docket/core"
import { openSqliteDatabase } from "@docket/db"
import { expect, it, onTestFinished } from "vitest"
import { type OpenedRuntime, openRuntime } from "../open-runtime.ts"
import { startService } from "../start-service.ts"
import { placeOfWorkspace } from "./workspace-place.ts"

const ages = [400, 200, 100, 10]
const dayMs = 86_400_000

/** A team's data directory with two workspaces, whose logs have an entry of each age (days). */
async function fill(): Promise<string> {
  const data = await mkdtemp(path.join(tmpdir(), "docket-retention-"))
  onTestFinished(() => rm(data, { recursive: true }))
  await writeFile(path.join(data, "team.json"), JSON.stringify({ url: "http://127.0.0.1:4180" }))
  const database = await openSqliteDatabase({ file: path.join(data, "docket.db"), clock: Date.now })
  const now = Date.now()
  const settings = { visibility: "workspace", turns: null, whenRemoved: "finish" } as const
  await database.workspaces.put({ id: "globex", roots: [], ...settings, time: { created: now, updated: now } })
  const storeOf = (id: string) => database.store(id).audit
  const log = createAuditLog({ storeOf, createID: createIdSource(), onError: (error) => expect.fail(String(error)) })
  const how = { call: "test", via: "browser", credential: null, address: null, targets: {}, person: null } as const
  for (const workspace of ["local", "globex"])
    for (const age of ages)
      await log.add(workspace, { ...how, at: now - age * dayMs, act: "sign-in.failed", facts: { age } })
  await database.close()
  return data
}

async function start(data: string, config: object) {
  let opened: OpenedRuntime | undefined
  const service = await startService(
    { projects: [], port: 0, host: "127.0.0.1", data, web: false, trust: false, config: [JSON.stringify(config)] },
    {
      openRuntime: async (options) => {
        opened = await openRuntime(options)
        return opened
      },
      report: () => undefined,
      log: (text, error) => expect.fail(`${text}: ${error}`),
    },
  )
  onTestFinished(service.stop)
  const kept = async (workspace: string) =>
    (await opened?.audit?.read(workspace, { limit: 100, act: "sign-in.failed" }))?.items.map(({ facts }) => facts.age)
  return { kept, stop: service.stop, open: async (workspace: string) => await opened?.workspaces.runtime(workspace) }
}

it("each workspace keeps its audit log as configured, or for a year", async () => {
  const data = await fill()
  const own = path.join(placeOfWorkspace(data, "globex").home, ".config/docket")
  await mkdir(own, { recursive: true })
  await writeFile(path.join(own, "docket.json"), JSON.stringify({ audit: { days: 50 } }))
  const service = await start(data, {})
  await expect.poll(() => service.kept("local")).toEqual([10, 100, 200])
  // The workspace has not been opened yet.
  expect(await service.kept("globex")).toEqual([10, 100, 200, 400])
  await service.open("globex")
  await expect.poll(() => service.kept("globex")).toEqual([10])
})

it("the service's start option limits every workspace's log", async () => {
  const service = await start(await fill(), { audit: { days: 150 } })
  await service.open("globex")
  for (const workspace of ["local", "globex"]) await expect.poll(() => service.kept(workspace)).toEqual([10, 100])
})
