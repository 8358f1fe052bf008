import { z } from "zod"

/**
 * Who calls a use case: a person, and the workspace (the tenant) whose things they work on. What people cause carries
 * it as `by`; rows of older versions, and what agents and the runtime do by themselves, have none.
 */
export const Caller = z.object({
  person: z.string().min(1),
  workspace: z.string().min(1),
  /** What they were called then, which outlasts their account here; none without accounts. */
  name: z.string().optional(),
})
export type Caller = z.infer<typeof Caller>
