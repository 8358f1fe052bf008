import type { Task } from "@docket/core/schema"
import { procedure } from "../trpc.ts"
import { TaskInput } from "./input.ts"

/** Merges the task's branch into the project; the record tells of conflicts. */
export const mergeTask = procedure
  .input(TaskInput)
  .mutation(({ ctx, input }): Promise<Task> => ctx.runtime.task.merge(input.taskID))
