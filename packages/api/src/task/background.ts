import type { Task } from "@docket/core/schema"
import { procedure } from "../trpc.ts"
import { TaskInput } from "./input.ts"

/** Lets the parent go on without waiting for the task. */
export const backgroundTask = procedure
  .input(TaskInput)
  .mutation(({ ctx, input }): Promise<Task> => ctx.runtime.task.background(input.taskID))
