import type { Todo } from "@docket/core/schema"
import { SessionInput } from "../session/input.ts"
import { procedure } from "../trpc.ts"

export const listTodos = procedure
  .input(SessionInput)
  .query(({ ctx, input }): Promise<Todo[]> => ctx.runtime.todo.list(input.sessionID))
