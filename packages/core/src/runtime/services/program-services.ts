import { join } from "node:path"
import { createRunningCommands, type RunningCommands } from "../../acts/tool/running-commands.ts"
import { nodeTimers } from "../../ground/concurrency/timers.ts"
import { createExtensionLedger, type ExtensionLedger } from "../../records/extension/extension-ledger.ts"
import { createExecutors, type Executors } from "../executors.ts"
import type { RuntimeDeps } from "../runtime-deps.ts"
import type { GroundServices } from "./ground-services.ts"

/** What is known of programs that run, and of extensions. */
export interface ProgramServices {
  commands: RunningCommands
  executors: Executors
  ledger: ExtensionLedger
}

export function createProgramServices(deps: RuntimeDeps, { store, clock, isShared }: GroundServices): ProgramServices {
  const { dataDirectory, onError, shared } = deps
  const commands = createRunningCommands(join(dataDirectory, "running-commands"))
  const executors = createExecutors(deps)
  return {
    commands: {
      ...commands,
      async endBackground(sessionIDs) {
        await Promise.all([commands.endBackground(sessionIDs), executors.end(sessionIDs)])
      },
    },
    executors,
    ledger: createExtensionLedger({
      ...{ clock, onError, isShared, timers: nodeTimers },
      store: store.extension,
      runner: shared?.runner ?? "",
    }),
  }
}
