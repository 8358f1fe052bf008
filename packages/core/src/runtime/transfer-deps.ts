import { isDocketError } from "../ground/error/docket-error.ts"
import type { TransfersDeps } from "../records/transfer/create-transfers.ts"
import type { Services } from "./create-services.ts"
import type { RuntimeDeps } from "./runtime-deps.ts"

/** The dependencies of export and import. */
export function transferDeps({ onError, readForeignFile }: RuntimeDeps, services: Services): TransfersDeps {
  const { store, journal, clock } = services
  return {
    ...{ store, journal, clock, onError },
    readForeignFile: readForeignFile ?? (async () => null),
    sessionByID: services.sessions.get,
    projectByID: services.projects.get,
    secretsOf: services.scanSourcesOf,
    usualVisibility: () => services.workspace.get().visibility,
    outputs: services.savedOutputs,
    async leadAgent(project, name) {
      try {
        return await services.leadAgent(project, name)
      } catch (error) {
        if (isDocketError(error) && error.code === "agent_not_found") return services.leadAgent(project)
        throw error
      }
    },
  }
}
