import { type Todo, TodoInput } from "@docket/core/schema"
import { z } from "zod"
import { SessionInput } from "../session/input.ts"
import { procedure } from "../trpc.ts"
import { byUser } from "./input.ts"

/** Replaces a session's list as `todowrite` does: items match by id, then by exact content. */
export const replaceTodos = procedure
  .input(SessionInput.extend({ todos: z.array(TodoInput).max(200) }))
  .mutation(({ ctx, input }): Promise<Todo[]> => ctx.runtime.todo.replace(input.sessionID, input.todos, byUser))
