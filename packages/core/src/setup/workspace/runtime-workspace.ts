import { DocketError } from "../../ground/error/docket-error.ts"
import { anywhere, type DirectoryLimits } from "../../ground/file/directory-limits.ts"
import type { Caller, Workspace } from "../../ground/schema/index.ts"

/** The workspace of a runtime, as it is set now. */
export interface RuntimeWorkspace {
  get(): Workspace
  /** @throws invalid_input */
  update(patch: WorkspacePatch, by?: Caller): Promise<Workspace>
  limits(): DirectoryLimits
  /** Whether several people work in it, some of whose sessions others do not see. */
  isShared: boolean
}

/** For a runtime that stands alone: nothing is set, and nothing limits it. */
export const unsetWorkspace: RuntimeWorkspace = {
  get: () => ({
    id: "local",
    roots: null,
    visibility: "workspace",
    turns: null,
    whenRemoved: "finish",
    time: { created: 0, updated: 0 },
  }),
  async update() {
    throw new DocketError("invalid_input", "This service keeps no settings of a workspace.")
  },
  limits: () => anywhere,
  isShared: false,
}

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
