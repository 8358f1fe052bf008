import { z } from "zod"
import { Caller } from "./caller.ts"
import { MessageID, PartID, SessionID, TaskID, TodoChangeID, TodoID } from "./ids.ts"

export const TodoStatus = z.enum(["pending", "in_progress", "completed", "cancelled"])
export type TodoStatus = z.infer<typeof TodoStatus>
export const TodoPriority = z.enum(["high", "medium", "low"])
export type TodoPriority = z.infer<typeof TodoPriority>

/** The step of a plan from which a todo was made. */
export const TodoPlan = z.object({
  /** The plan file as the session names it: relative to its worktree, or absolute. */
  file: z.string(),
  /** The number of the step, from 1. */
  step: z.number().int().positive(),
  /** The call that handed the plan over. */
  partID: PartID.nullable(),
})
export type TodoPlan = z.infer<typeof TodoPlan>

/**
 * One item of work. `number` counts per tenant and is what people type (`#14`). `sessionID: null`
 * means tenant-wide. `position` orders a list, usually from 0 without gaps. Times are epoch ms.
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
  /** The agent that added it, unless the request named another; null when a person or a program added it. */
  agent: z.string().nullable(),
  /** Todos of the same list, or tenant-wide ones, that must be done first. Never a cycle. */
  dependsOn: z.array(TodoID).default([]),
  /** Who works on the todo. */
  owner: z
    .object({ agent: z.string().nullable(), sessionID: SessionID.nullable(), taskID: TaskID.nullable() })
    .nullable()
    .default(null),
  /** A task for this todo has ended and proposes that it is done; a person or the agent decides. */
  proposed: z.object({ taskID: TaskID, at: z.number() }).nullable().default(null),
  plan: TodoPlan.optional(),
  time: z.object({ created: z.number(), updated: z.number(), completed: z.number().nullable() }),
})
export type Todo = z.infer<typeof Todo>

/** An item as `todowrite` takes it: matched to a stored item by `id`, then by exact `content`. */
export const TodoInput = z.object({
  id: z.string().optional(),
  content: z.string().trim().min(1).max(2_000),
  status: TodoStatus,
  priority: TodoPriority,
  description: z.string().max(20_000).optional(),
  dependsOn: z.array(z.string()).max(50).optional(),
})
export type TodoInput = z.infer<typeof TodoInput>

/** Who changed a todo. `name` is the agent, the user or the schedule. */
export const TodoActor = z.object({
  kind: z.enum(["agent", "user", "api", "task", "system"]),
  name: z.string(),
})
export type TodoActor = z.infer<typeof TodoActor>

/**
 * One change of one todo. `before: null` is its creation, `after: null` its removal. `partID` is the tool call that
 * made the change. The parts between the change to `in_progress` and the next change show the work on the item.
 */
export const TodoChange = z.object({
  id: TodoChangeID,
  todoID: TodoID,
  sessionID: SessionID.nullable(),
  at: z.number(),
  actor: TodoActor,
  /** The person who made the change. */
  by: Caller.optional(),
  messageID: MessageID.nullable(),
  partID: PartID.nullable(),
  before: Todo.nullable(),
  after: Todo.nullable(),
  /** Set for an undo or a redo: the whole list was restored as it was just before this id was made. */
  rewinds: z.string().optional(),
})
export type TodoChange = z.infer<typeof TodoChange>
