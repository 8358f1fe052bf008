import type { Todo } from "@docket/core/schema"
import { SessionInput } from "../session/input.ts"
import { procedure } from "../trpc.ts"

/** The lists of all sessions of the tree, by session id. */
export const todoTree = procedure
  .input(SessionInput)
  .query(({ ctx, input }): Promise<Record<string, Todo[]>> => ctx.runtime.todo.tree(input.sessionID))
