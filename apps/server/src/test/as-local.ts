import type { Runtime, UseCases } from "@docket/core"
import { localPerson } from "@docket/core/schema"

/** The use cases of the service's one user. */
export function asLocal(runtime: Pick<Runtime, "as">): UseCases {
  return runtime.as({ person: localPerson, workspace: "local" })
}
