import { SessionID, type Todo, TodoStatus } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

const Scope = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("all") }),
  z.object({ kind: z.literal("tenant") }),
  z.object({ kind: z.literal("session"), sessionID: SessionID }),
])

const Input = z.object({
  scope: Scope,
  status: TodoStatus.optional(),
  agent: z.string().optional(),
  limit: z.number().int().min(1).max(10_000).optional(),
})

/** Todos of all lists, of the tenant-wide one, or of a session with the tenant-wide ones; those in progress first. */
export const findTodos = procedure.input(Input).query(({ ctx, input }): Promise<Todo[]> => ctx.runtime.todo.find(input))
