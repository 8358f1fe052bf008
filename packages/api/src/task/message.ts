import type { Task } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"
import { TaskInput } from "./input.ts"

/** Longer messages belong in a file. */
const maxLength = 20_000

/** Gives a running child a message that it reads before its next step. */
export const messageTask = procedure
  .input(TaskInput.extend({ text: z.string().trim().min(1).max(maxLength) }))
  .mutation(({ ctx, input }): Promise<Task> => ctx.runtime.task.message(input.taskID, input.text))
