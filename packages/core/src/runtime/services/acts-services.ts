import { join } from "node:path"
import { createPermissionBroker, type PermissionBroker } from "../../acts/permission/permission-broker.ts"
import { createRunningCommands, type RunningCommands } from "../../acts/tool/running-commands.ts"
import { createSavedOutputs, type SavedOutputs } from "../../acts/tool/saved-outputs.ts"
import type { OwnDirectory } from "../../acts/tool/tool.ts"
import { combineHooks } from "../../engine/loop/hooks.ts"
import { userDefinitionDirectories } from "../../setup/config/definitions.ts"
import { opencodeUserDirectory, userConfigDirectory } from "../../setup/config/user-directory.ts"
import type { RuntimeDeps } from "../runtime-deps.ts"
import type { GroundServices } from "./ground-services.ts"

/** What calls of tools need: permission, and directories for what they leave. */
export interface ActsServices {
  broker: PermissionBroker
  commands: RunningCommands
  savedOutputs: SavedOutputs
  /** Where long outputs of a session are kept; exists. */
  outputDirectory: SavedOutputs["directoryOf"]
  ownDirectories: readonly OwnDirectory[]
}

export function createActsServices(deps: RuntimeDeps, ground: GroundServices): ActsServices {
  const { dataDirectory } = deps
  const { store, clock } = ground
  const savedOutputs = createSavedOutputs({ root: outputRootOf(deps), clock, onError: deps.onError })
  return {
    broker: createPermissionBroker({
      ...ground,
      store: store.permission,
      standing: store.standingGrant,
      sessions: store.session,
      write: store.write,
      decide: combineHooks(deps.plugs ?? []).permission,
    }),
    commands: createRunningCommands(join(dataDirectory, "running-commands")),
    savedOutputs,
    outputDirectory: savedOutputs.directoryOf,
    ownDirectories: [
      { path: deps.serviceDirectory ?? dataDirectory, except: join(dataDirectory, "worktrees") },
      { path: userConfigDirectory(deps) },
      { path: opencodeUserDirectory(deps) },
      // These definitions count without trust, so no agent may write them.
      ...userDefinitionDirectories(deps).map((path) => ({ path })),
    ],
  }
}

export function outputRootOf({ dataDirectory }: Pick<RuntimeDeps, "dataDirectory">): string {
  return join(dataDirectory, "tool-output")
}
