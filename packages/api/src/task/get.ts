import type { Task } from "@docket/core/schema"
import { procedure } from "../trpc.ts"
import { TaskInput } from "./input.ts"

/** The whole record, prompt and result included. */
export const getTask = procedure
  .input(TaskInput)
  .query(({ ctx, input }): Promise<Task> => ctx.runtime.task.get(input.taskID))
