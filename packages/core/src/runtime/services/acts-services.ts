import { join } from "node:path"
import { createPermissionBroker, type PermissionBroker } from "../../acts/permission/permission-broker.ts"
import { createSavedOutputs, type SavedOutputs } from "../../acts/tool/saved-outputs.ts"
import type { OwnDirectory } from "../../acts/tool/tool.ts"
import type { Command } from "../../engine/command/find-commands.ts"
import { combineHooks, type Hooks, type Plug } from "../../engine/loop/hooks.ts"
import type { Project } from "../../ground/schema/index.ts"
import { userDefinitionDirectories } from "../../setup/config/definitions.ts"
import { opencodeUserDirectory, userConfigDirectory } from "../../setup/config/user-directory.ts"
import { outputRootOf } from "../output-root.ts"
import type { RuntimeDeps } from "../runtime-deps.ts"
import type { GroundServices } from "./ground-services.ts"
import type { SetupServices } from "./setup-services.ts"

/** What calls of tools need: permission, extensions, and directories for what they leave. */
export interface ActsServices {
  broker: PermissionBroker
  /** The commands of prompts: those of the project and its user, then those of extensions. */
  offeredCommandsOf(project: Project, person: string | null): Promise<Command[]>
  /** The hooks of extensions, in order. */
  plugs: readonly Plug[]
  /** These alone, together. */
  hooks: Hooks
  savedOutputs: SavedOutputs
  /** Where long outputs of a session are kept; exists. */
  outputDirectory: SavedOutputs["directoryOf"]
  ownDirectories: readonly OwnDirectory[]
}

export function createActsServices(deps: RuntimeDeps, ground: GroundServices, setup: SetupServices): ActsServices {
  const { dataDirectory } = deps
  const { store, clock } = ground
  const { extensionPlaceOf } = setup
  const plugs = (deps.extensions ?? []).flatMap((host) => host.plug?.(extensionPlaceOf) ?? [])
  const hooks = combineHooks(plugs)
  const savedOutputs = createSavedOutputs({
    ...{ root: outputRootOf(deps), shared: ground.contents, clock, onError: deps.onError },
  })
  return {
    broker: createPermissionBroker({
      ...ground,
      store: store.permission,
      standing: store.standingGrant,
      sessions: store.session,
      write: store.write,
      decide: hooks.permission,
      asked: hooks.asked,
    }),
    async offeredCommandsOf(project, person) {
      const defined = await setup.commandsOf(project)
      const hosts = (deps.extensions ?? []).filter((host) => host.commands !== undefined)
      if (hosts.length === 0) return [...defined]
      const place = await extensionPlaceOf(project)
      const more = (await Promise.all(hosts.map(async (host) => (await host.commands?.(place, person)) ?? []))).flat()
      const names = new Set(defined.map(({ name }) => name))
      return [...defined, ...more.filter(({ name }) => !names.has(name))]
    },
    ...{ plugs, hooks },
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
