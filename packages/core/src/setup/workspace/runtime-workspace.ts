import { DocketError } from "../../ground/error/docket-error.ts"
import { anywhere, type DirectoryLimits } from "../../ground/file/directory-limits.ts"
import type { Caller, Workspace } from "../../ground/schema/index.ts"

/** The workspace of a runtime with its present settings. */
export interface RuntimeWorkspace {
  get(): Workspace
  /** @throws invalid_input */
  update(patch: WorkspacePatch, by?: Caller): Promise<Workspace>
  limits(): DirectoryLimits
  /** Whether several people use it, some of whose sessions are hidden from others. */
  isShared: boolean
}

/** For a single runtime: without settings and limits. */
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

/** Settings to change; omitted ones stay as they are. */
export type WorkspacePatch = {
  [Name in "roots" | "visibility" | "turns" | "whenRemoved"]?: Workspace[Name] | undefined
}

export interface WorkspaceService {
  get(): Promise<Workspace>
  /**
   * Changes settings, records the user, and publishes it to all readers of lists, even when no setting is given. Roots are
   * absolute paths of existing directories and stored as real paths.
   * @throws invalid_input, also for a root inside or around one of another workspace
   */
  update(patch: WorkspacePatch): Promise<Workspace>
}
