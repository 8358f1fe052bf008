import type { Workspace } from "../../ground/schema/index.ts"

/** What may be set of a workspace; what is left out stays as it is. */
export type WorkspacePatch = {
  [Name in "roots" | "visibility" | "turns" | "whenRemoved"]?: Workspace[Name] | undefined
}

export interface WorkspaceService {
  get(): Promise<Workspace>
  /**
   * Says who did, and tells all who read lists, also when nothing is given. Roots are named by absolute paths of directories that are there, and kept as their real paths.
   * @throws invalid_input, also for a root that lies in one of another workspace or holds one
   */
  update(patch: WorkspacePatch): Promise<Workspace>
}
