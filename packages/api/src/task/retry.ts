import type { Task } from "@docket/core/schema"
import { procedure } from "../trpc.ts"
import { TaskInput } from "./input.ts"

/** Starts the same work again in a new child, in the background. */
export const retryTask = procedure
  .input(TaskInput)
  .mutation(({ ctx, input }): Promise<Task> => ctx.runtime.task.retry(input.taskID))
