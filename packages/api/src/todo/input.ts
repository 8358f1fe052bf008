import { SessionID, TaskID, TodoPriority, TodoStatus } from "@docket/core/schema"
import { z } from "zod"

/** A todo by id or by its number. */
export const TodoRef = z.union([z.string().min(1).max(100), z.number().int().positive()])

export const TodoPatchInput = z.object({
  content: z.string().trim().min(1).max(2_000).optional(),
  description: z.string().max(20_000).optional(),
  status: TodoStatus.optional(),
  priority: TodoPriority.optional(),
  /** Place in its list from 0; the others move. */
  position: z.number().int().nonnegative().optional(),
  /** Ids, numbers or contents of the todos that must be done first. */
  dependsOn: z.array(z.string()).max(50).optional(),
  owner: z
    .object({ agent: z.string().nullable(), sessionID: SessionID.nullable(), taskID: TaskID.nullable() })
    .nullable()
    .optional(),
  /** `null` declines the proposal of a task that it is done. */
  proposed: z.null().optional(),
})

/** Who changes todos through tRPC: the person at the browser. */
export const byUser = { actor: { kind: "user", name: "user" } } as const
