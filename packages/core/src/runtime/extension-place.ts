import { unconfined } from "../acts/sandbox/confinement.ts"
import type { ExtensionPlace } from "../engine/extension/extension-host.ts"
import { realpathOfDeepest } from "../ground/file/realpath-of-deepest.ts"
import type { Project } from "../ground/schema/index.ts"
import type { ExtensionLedger } from "../records/extension/extension-ledger.ts"
import type { LoadedConfig } from "../setup/config/loaded-config.ts"
import { type PlaceServices, programsIn, projectPrograms, whyUnconfined } from "./program-place.ts"
import type { RuntimeDeps } from "./runtime-deps.ts"

/** Where the extensions of a project work. */
export async function extensionPlace(
  deps: RuntimeDeps,
  services: PlaceServices & { ledger: ExtensionLedger },
  project: Project,
): Promise<ExtensionPlace> {
  const { loaded, worktree, checkout, ...programs } = await projectPrograms(deps, services, project)
  return placeIn(deps, services, { loaded, programs, project: { ...project, worktree }, checkout })
}

/** Where extensions work that belong to the user and to no project: with the user's own configuration alone, at home. */
export async function homePlace(
  deps: RuntimeDeps,
  services: PlaceServices & { ledger: ExtensionLedger },
): Promise<ExtensionPlace> {
  const loaded = await services.configs.of(null)
  const home = await realpathOfDeepest(deps.home)
  // It stands for a project where one is named, and no project has this id.
  const project: Project = {
    ...{ id: "prj_home", worktree: home, directory: home, name: "home", git: false },
    time: { created: 0, opened: 0 },
  }
  const programs = programsIn(deps, services, { projectID: project.id, loaded, worktree: home, checkout: home })
  return placeIn(deps, services, { loaded, programs, project, checkout: home })
}

function placeIn(
  deps: RuntimeDeps,
  services: PlaceServices & { ledger: ExtensionLedger },
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
  const { config, sources, provided, programs: named, heldHooks, otherServers, trust } = loaded
  const { isShared } = services.workspace
  return {
    ...{ project, checkout, config, sources, provided, programs: named, heldHooks, otherServers },
    isTrusted: trust.state === "trusted",
    isShared,
    home: deps.home,
    dataDirectory: deps.dataDirectory,
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
