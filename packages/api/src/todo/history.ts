import { SessionID, type TodoChange, TodoID } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

const Input = z.object({
  todoID: TodoID.optional(),
  sessionID: SessionID.optional(),
  limit: z.number().int().min(1).max(10_000).optional(),
})

/** Changes of one todo or of a session's list, newest first, 200 without `limit`. */
export const todoHistory = procedure
  .input(Input)
  .query(({ ctx, input }): Promise<TodoChange[]> => ctx.runtime.todo.history(input))
