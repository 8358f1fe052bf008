import type { TaskSummary } from "@docket/core/schema"
import { SessionInput } from "../session/input.ts"
import { procedure } from "../trpc.ts"

/** All tasks of the tree that contains the session, by number. */
export const listTasks = procedure
  .input(SessionInput)
  .query(({ ctx, input }): Promise<TaskSummary[]> => ctx.runtime.task.list(input.sessionID))
