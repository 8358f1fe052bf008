import { SessionID, type Todo } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"
import { byUser, TodoPatchInput } from "./input.ts"

const Input = TodoPatchInput.extend({
  sessionID: SessionID.nullable(),
  content: z.string().trim().min(1).max(2_000),
})

/** Adds a todo to a session's list, or with `sessionID: null` a tenant-wide one. At the end without `position`. */
export const createTodo = procedure
  .input(Input)
  .mutation(({ ctx, input }): Promise<Todo> => ctx.runtime.todo.create(input, byUser))
