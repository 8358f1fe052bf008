import { z } from "zod"
import { procedure } from "../trpc.ts"
import { byUser, TodoRef } from "./input.ts"

export const removeTodo = procedure
  .input(z.object({ todo: TodoRef }))
  .mutation(async ({ ctx, input }): Promise<null> => {
    await ctx.runtime.todo.remove(input.todo, byUser)
    return null
  })
