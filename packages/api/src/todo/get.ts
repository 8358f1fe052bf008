import type { Todo } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"
import { TodoRef } from "./input.ts"

export const getTodo = procedure
  .input(z.object({ todo: TodoRef }))
  .query(({ ctx, input }): Promise<Todo> => ctx.runtime.todo.get(input.todo))
