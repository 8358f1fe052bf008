import { DocketError } from "../../ground/error/docket-error.ts"
import { anywhere, type DirectoryLimits } from "../../ground/file/directory-limits.ts"
import type { Caller, Workspace } from "../../ground/schema/index.ts"
import type { WorkspacePatch } from "./workspace-service.ts"

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
