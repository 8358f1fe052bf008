import { SessionVisibility, Workspace } from "@docket/core/schema"
import { z } from "zod"
import { records } from "../audit/audit-rule.ts"
import { allowed, router } from "../trpc.ts"

const UpdateInput = z.object({
  /** Absolute paths; null, which only the first workspace may have, for any directory. */
  roots: z.array(z.string().min(1).max(4_096)).max(100).nullable().optional(),
  visibility: SessionVisibility.optional(),
  /** Root sessions that work at once; null for any number. */
  turns: z.number().int().min(1).max(1_000).nullable().optional(),
  /** What becomes of the turns that run for somebody who is removed. */
  whenRemoved: Workspace.shape.whenRemoved.unwrap().optional(),
})

export const workspaceRouter = router({
  /** What is set of the workspace: where its projects lie, who sees a new session, how much works at once. */
  get: allowed("read").query(({ ctx }): Promise<Workspace> => ctx.runtime.workspace.get()),

  /** What is left out stays as it is. */
  update: allowed(
    "limits.manage",
    records("workspace.changed", { facts: ["roots", "visibility", "turns", "whenRemoved"] }),
  )
    .input(UpdateInput)
    .mutation(({ ctx, input }): Promise<Workspace> => ctx.runtime.workspace.update(input)),
})
