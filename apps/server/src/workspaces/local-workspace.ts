import type { Workspaces } from "@docket/api"
import type { Runtime } from "@docket/core"

/** The one workspace of a service without accounts. */
export function localWorkspace(workspaceID: string, runtime: Runtime): Workspaces {
  return { runtime: (id) => (id === workspaceID ? runtime : null) }
}
