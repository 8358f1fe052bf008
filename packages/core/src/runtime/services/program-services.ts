import { join } from "node:path"
import { createRunningCommands, type RunningCommands } from "../../acts/tool/running-commands.ts"
import { nodeTimers } from "../../ground/concurrency/timers.ts"
import { createExtensionLedger, type ExtensionLedger } from "../../records/extension/extension-ledger.ts"
import type { RuntimeDeps } from "../runtime-deps.ts"
import type { GroundServices } from "./ground-services.ts"

/** What is known of programs that run, and of extensions. */
export interface ProgramServices {
  commands: RunningCommands
  ledger: ExtensionLedger
}

export function createProgramServices(
  { dataDirectory, onError, shared }: RuntimeDeps,
  { store, clock, isShared }: GroundServices,
): ProgramServices {
  return {
    commands: createRunningCommands(join(dataDirectory, "running-commands")),
    ledger: createExtensionLedger({
      ...{ clock, onError, isShared, timers: nodeTimers },
      store: store.extension,
      runner: shared?.runner ?? "",
    }),
  }
}
