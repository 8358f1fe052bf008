import { z } from "zod"
import { SessionID, TodoID } from "./ids.ts"

export const TodoStatus = z.enum(["pending", "in_progress", "completed", "cancelled"])
export type TodoStatus = z.infer<typeof TodoStatus>
export const TodoPriority = z.enum(["high", "medium", "low"])
export type TodoPriority = z.infer<typeof TodoPriority>

/**
 * One item of work. `number` counts per tenant and is what people type (`#14`). `sessionID: null`
 * means tenant-wide. `position` orders a session's list from 0. Times are epoch ms.
 */
export const Todo = z.object({
  id: TodoID,
  number: z.number().int().positive(),
  sessionID: SessionID.nullable(),
  content: z.string().min(1),
  description: z.string(),
  status: TodoStatus,
  priority: TodoPriority,
  position: z.number().int().nonnegative(),
  agent: z.string().nullable(),
  time: z.object({ created: z.number(), updated: z.number(), completed: z.number().nullable() }),
})
export type Todo = z.infer<typeof Todo>

/** What `todowrite` takes: matched to stored items by `id`, then by exact `content`. */
export const TodoInput = z.object({
  id: z.string().optional(),
  content: z.string().trim().min(1).max(2_000),
  status: TodoStatus,
  priority: TodoPriority,
})
export type TodoInput = z.infer<typeof TodoInput>
