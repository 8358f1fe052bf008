import type { ProposedTodo, TodoEvidence } from "@docket/core"
import { records } from "@docket/core/operations"
import {
  SessionID,
  TaskID,
  type Todo,
  type TodoChange,
  TodoID,
  TodoInput,
  TodoPriority,
  TodoStatus,
} from "@docket/core/schema"
import { z } from "zod"
import { allowed, router } from "../trpc.ts"
import { ItemRef, SessionInput } from "./input.ts"

const TodoRef = z.object({ todo: ItemRef })
const Content = z.string().trim().min(1).max(2_000)
const Limit = z.number().int().min(1).max(10_000).optional()

const Patch = z.object({
  content: Content.optional(),
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

const Scope = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("all") }),
  z.object({ kind: z.literal("tenant") }),
  z.object({ kind: z.literal("session"), sessionID: SessionID }),
])

const FindInput = z.object({
  scope: Scope,
  status: TodoStatus.optional(),
  agent: z.string().optional(),
  limit: Limit,
})

const HistoryInput = z.object({ todoID: TodoID.optional(), sessionID: SessionID.optional(), limit: Limit })

/** Who changes todos through tRPC: the person at the browser. */
const byUser = { actor: { kind: "user", name: "user" } } as const

export const todoRouter = router({
  list: allowed("read")
    .input(SessionInput)
    .query(({ ctx, input }): Promise<Todo[]> => ctx.runtime.todo.list(input.sessionID)),

  /** The lists of all sessions of the tree, by session id. */
  tree: allowed("read")
    .input(SessionInput)
    .query(({ ctx, input }): Promise<Record<string, Todo[]>> => ctx.runtime.todo.tree(input.sessionID)),

  /** Todos of all lists, of the tenant-wide one, or of a session with the tenant-wide ones; those in progress first. */
  find: allowed("read")
    .input(FindInput)
    .query(({ ctx, input }): Promise<Todo[]> => ctx.runtime.todo.find(input)),

  /** Those of all lists that tasks propose as done, the newest proposal first. */
  proposed: allowed("read").query(({ ctx }): Promise<ProposedTodo[]> => ctx.runtime.todo.proposed()),

  get: allowed("read")
    .input(TodoRef)
    .query(({ ctx, input }): Promise<Todo> => ctx.runtime.todo.get(input.todo)),

  /** Adds a todo to a session's list, or with `sessionID: null` a tenant-wide one. At the end without `position`. */
  create: allowed("todo.edit", records("todo.edited", { facts: ["status", "priority"] }))
    .input(Patch.extend({ sessionID: SessionID.nullable(), content: Content }))
    .mutation(({ ctx, input }): Promise<Todo> => ctx.runtime.todo.create(input, byUser)),

  /** Changes one todo; `position` moves it within its list. */
  update: allowed("todo.edit", records("todo.edited", { targets: ["todo"], facts: ["status", "priority", "position"] }))
    .input(Patch.extend(TodoRef.shape))
    .mutation(({ ctx, input }): Promise<Todo> => {
      const { todo, ...patch } = input
      return ctx.runtime.todo.update(todo, patch, byUser)
    }),

  remove: allowed("todo.edit", records("todo.edited", { targets: ["todo"] }))
    .input(TodoRef)
    .mutation(async ({ ctx, input }): Promise<null> => {
      await ctx.runtime.todo.remove(input.todo, byUser)
      return null
    }),

  /** Replaces a session's list as `todowrite` does: items match by id, then by exact content. */
  replace: allowed("todo.edit", records("todo.edited"))
    .input(SessionInput.extend({ todos: z.array(TodoInput).max(200) }))
    .mutation(({ ctx, input }): Promise<Todo[]> => ctx.runtime.todo.replace(input.sessionID, input.todos, byUser)),

  /** Changes of one todo or of a session's list, newest first, 200 without `limit`. */
  history: allowed("read")
    .input(HistoryInput)
    .query(({ ctx, input }): Promise<TodoChange[]> => ctx.runtime.todo.history(input)),

  /** The parts of the transcript that ran while the todo was in progress; null when it never was. */
  evidence: allowed("read")
    .input(TodoRef)
    .query(({ ctx, input }): Promise<TodoEvidence | null> => ctx.runtime.todo.evidence(input.todo)),
})
