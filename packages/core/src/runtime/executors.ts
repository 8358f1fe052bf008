import { createLocalExecutor, type Executor, type Place, type PlaceWork } from "../acts/tool/executor.ts"
import { DocketError } from "../ground/error/docket-error.ts"
import type { SandboxConfig } from "../ground/schema/sandbox-config.ts"
import type { RuntimeDeps } from "./runtime-deps.ts"

/** The executors of a runtime, and the places that they opened for its sessions. */
export interface Executors {
  /** @throws DocketError config_invalid when the configuration names one that this service does not have */
  of(config: SandboxConfig | undefined): Executor
  /** Where a session works: the same place as long as its configuration says the same of places. */
  placeOf(session: PlaceWork["session"], config: SandboxConfig | undefined): Place
  /** Closes the places of sessions. */
  end(sessionIDs: readonly string[]): Promise<void>
  close(): Promise<void>
}

export function createExecutors({ executors = [], sandbox }: Pick<RuntimeDeps, "executors" | "sandbox">): Executors {
  const all = [...executors, createLocalExecutor(sandbox ?? null)]
  /** By session. The local place is not among them, because nothing has to be closed there. */
  const places = new Map<string, { key: string; place: Place }>()
  const executorOf = ({ executor: name = "local" }: SandboxConfig = {}) => {
    const found = all.find((executor) => executor.name === name)
    if (found !== undefined) return found
    const reason = `"sandbox.executor" in your own docket.json is "${name}", which this service does not have.`
    throw new DocketError("config_invalid", `${reason} Name "local", or leave it out.`)
  }
  return {
    of: executorOf,
    placeOf(session, config = {}) {
      const executor = executorOf(config)
      if (executor.name === "local") return executor.open({ session, config })
      const { docker, limits } = config
      const key = JSON.stringify([executor.name, docker, limits])
      const open = places.get(session.id)
      if (open?.key === key) return open.place
      void open?.place.close()
      const place = executor.open({ session, config })
      places.set(session.id, { key, place })
      return place
    },
    async end(sessionIDs) {
      const ended = sessionIDs.flatMap((id) => places.get(id) ?? [])
      for (const id of sessionIDs) places.delete(id)
      await Promise.all(ended.map(({ place }) => place.close()))
    },
    async close() {
      await Promise.all(all.map((executor) => executor.close()))
    },
  }
}
