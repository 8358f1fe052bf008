import type { Task } from "@docket/core/schema"
import { procedure } from "../trpc.ts"
import { TaskInput } from "./input.ts"

/** Ends the task with everything under it; one that has ended stays as it is. */
export const cancelTask = procedure
  .input(TaskInput)
  .mutation(({ ctx, input }): Promise<Task> => ctx.runtime.task.cancel(input.taskID))
