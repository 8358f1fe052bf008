import { z } from "zod"
import { SessionVisibility, Workspace } from "../../ground/schema/index.ts"
import { records } from "./audit-rule.ts"
import { mutation, query } from "./operation.ts"

/** The settings of the workspace. Its people, and other workspaces, belong to the accounts. */
export const workspaceOperations = {
  /**
   * The settings of the workspace: its roots, who sees new sessions, how many work at once, and who changed a setting
   * last.
   */
  get: query({ input: null, needs: "rows", run: ({ workspace }) => workspace.get() }),

  /** Changes settings of the workspace. What you leave out stays as it is. */
  update: mutation({
    capability: "limits.manage",
    audit: records("workspace.changed", { facts: ["roots", "visibility", "turns", "whenRemoved"] }),
    input: z.object({
      /** Absolute paths of directories. Null means any directory; only the first workspace may have it. */
      roots: z.array(z.string().min(1).max(4_096)).max(100).nullable().optional(),
      visibility: SessionVisibility.optional(),
      /** How many root sessions work at once; null for any number. */
      turns: z.number().int().min(1).max(1_000).nullable().optional(),
      /** What happens to running turns of somebody who is removed. */
      whenRemoved: Workspace.shape.whenRemoved.unwrap().optional(),
    }),
    needs: "rows",
    run: ({ workspace }, patch) => workspace.update(patch),
  }),
}

export const sandboxOperations = {
  /** Whether commands run in a sandbox on this machine, and if not, why. */
  state: query({ input: null, needs: "rows", run: ({ sandbox }) => sandbox.state() }),
  /** What commands may use at most, and which were ended for using more. */
  limits: query({ capability: "settings.read", input: null, needs: "rows", run: ({ sandbox }) => sandbox.limits() }),
  /** Names of the service's environment variables that commands do not get. */
  dropped: query({ capability: "settings.read", input: null, needs: "rows", run: ({ sandbox }) => sandbox.dropped() }),
}
