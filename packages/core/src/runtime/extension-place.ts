import { unconfined } from "../acts/sandbox/confinement.ts"
import type { ExtensionPlace } from "../engine/extension/extension-host.ts"
import type { Project } from "../ground/schema/index.ts"
import type { ExtensionLedger } from "../records/extension/extension-ledger.ts"
import { type PlaceServices, projectPrograms, whyUnconfined } from "./program-place.ts"
import type { RuntimeDeps } from "./runtime-deps.ts"

/** Where the extensions of a project work. */
export async function extensionPlace(
  deps: RuntimeDeps,
  services: PlaceServices & { ledger: ExtensionLedger },
  project: Project,
): Promise<ExtensionPlace> {
  const { loaded, worktree, checkout, ...programs } = await projectPrograms(deps, services, project)
  const { config, sources, provided, otherServers, trust } = loaded
  const { isShared } = services.workspace
  return {
    project: { ...project, worktree },
    checkout,
    ...{ config, sources, provided, otherServers },
    isTrusted: trust.state === "trusted",
    isShared,
    home: deps.home,
    dataDirectory: deps.dataDirectory,
    env: deps.env,
    ledger: services.ledger,
    unconfined: () => whyUnconfined(programs.confinement({ network: "none", isReadOnly: true, readable: [] })),
    async start({ confined, network, mayWrite, readable, writable, ...launch }) {
      const confinement =
        confined === "free" && !isShared
          ? unconfined
          : await programs.confinement({
              // In a team, the network of the machine is not a project's to give.
              network: network === "open" && isShared ? "project" : network,
              ...{ isReadOnly: !mayWrite, readable },
              ...(writable && { writable }),
            })
      return programs.start({ ...launch, env: { ...launch.env } }, confinement)
    },
  }
}
