import { mkdir } from "node:fs/promises"
import { basename, join } from "node:path"
import { unconfined } from "../acts/sandbox/confinement.ts"
import type { ExtensionPlace } from "../engine/extension/extension-host.ts"
import { realpathOfDeepest } from "../ground/file/realpath-of-deepest.ts"
import type { Project } from "../ground/schema/index.ts"
import type { Vault } from "../ground/secret/vault.ts"
import type { ExtensionLedger } from "../records/extension/extension-ledger.ts"
import type { LoadedConfig } from "../setup/config/loaded-config.ts"
import { type PlaceServices, programsIn, projectPrograms, whyUnconfined } from "./program-place.ts"
import type { RuntimeDeps } from "./runtime-deps.ts"

type ExtensionServices = PlaceServices & { ledger: ExtensionLedger; vault: Vault }

/** Where the extensions of a project work. */
export async function extensionPlace(
  deps: RuntimeDeps,
  services: ExtensionServices,
  project: Project,
): Promise<ExtensionPlace> {
  const { loaded, worktree, checkout, ...programs } = await projectPrograms(deps, services, project)
  return placeIn(deps, services, { loaded, programs, project: { ...project, worktree }, checkout })
}

/** Where extensions work that belong to the user and to no project: with the user's own configuration alone, at home. */
export function homePlace(deps: RuntimeDeps, services: ExtensionServices): Promise<ExtensionPlace> {
  return ownPlace(deps, services, { id: "prj_home", directory: deps.home })
}

/**
 * Where the user looks at their own extensions outside of all projects. Its directory is empty: nothing holds a program in
 * that works at home.
 */
export async function emptyPlace(deps: RuntimeDeps, services: ExtensionServices): Promise<ExtensionPlace> {
  const directory = join(deps.dataDirectory, "no-project")
  await mkdir(directory, { recursive: true, mode: 0o700 })
  return ownPlace(deps, services, { id: "prj_none", directory })
}

/** `id` stands for a project where one is named; no project has it. */
async function ownPlace(
  deps: RuntimeDeps,
  services: ExtensionServices,
  { id, directory: named }: Pick<Project, "id" | "directory">,
): Promise<ExtensionPlace> {
  const loaded = await services.configs.of(null)
  const directory = await realpathOfDeepest(named)
  const project: Project = {
    ...{ id, worktree: directory, directory, name: basename(directory), git: false },
    time: { created: 0, opened: 0 },
  }
  const programs = programsIn(deps, services, { projectID: id, loaded, worktree: directory, checkout: directory })
  return placeIn(deps, services, { loaded, programs, project, checkout: directory })
}

function placeIn(
  deps: RuntimeDeps,
  services: ExtensionServices,
  {
    loaded,
    programs,
    project,
    checkout,
  }: Pick<ExtensionPlace, "project" | "checkout"> & {
    loaded: LoadedConfig
    programs: ReturnType<typeof programsIn>
  },
): ExtensionPlace {
  const { config, sources, provided, programs: named, heldHooks, heldServers, otherServers, trust } = loaded
  const { isShared } = services.workspace
  return {
    ...{ project, checkout, config, sources, provided, programs: named, heldHooks, heldServers, otherServers },
    isTrusted: trust.state === "trusted",
    isShared,
    home: deps.home,
    dataDirectory: deps.dataDirectory,
    vault: services.vault,
    env: deps.env,
    ledger: services.ledger,
    unconfined: () => whyUnconfined(programs.confinement({ network: "none", isReadOnly: true, readable: [] })),
    async start({ confined, network, mayWrite, readable, writable, home, variables, opened, ...launch }) {
      const confinement =
        confined === "free" && !isShared
          ? unconfined
          : await programs.confinement({
              // In a team, the network of the machine is not a project's to give.
              network: network === "open" && isShared ? "project" : network,
              ...{ isReadOnly: !mayWrite, readable },
              ...(writable && { changes: writable }),
              ...(variables && { variables }),
              ...(opened && { opened }),
              home,
            })
      return programs.start({ ...launch, env: { ...launch.env } }, confinement)
    },
  }
}
