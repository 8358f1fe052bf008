import type { Todo } from "@docket/core/schema"
import { procedure } from "../trpc.ts"
import { byUser, TodoPatchInput, TodoRef } from "./input.ts"

/** Changes one todo; `position` moves it within its list. */
export const updateTodo = procedure
  .input(TodoPatchInput.extend({ todo: TodoRef }))
  .mutation(({ ctx, input }): Promise<Todo> => {
    const { todo, ...patch } = input
    return ctx.runtime.todo.update(todo, patch, byUser)
  })
