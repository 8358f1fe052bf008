import { records } from "@docket/core/operations"
import { type Task, TaskID, type TaskSummary } from "@docket/core/schema"
import { z } from "zod"
import { allowed, router } from "../trpc.ts"
import { SessionInput } from "./input.ts"

const TaskInput = z.object({ taskID: TaskID })
/** Longer messages belong in a file. */
const maxMessage = 20_000
const MessageInput = TaskInput.extend({ text: z.string().trim().min(1).max(maxMessage) })

export const taskRouter = router({
  /** All tasks of the tree that contains the session, by number. */
  list: allowed("read")
    .input(SessionInput)
    .query(({ ctx, input }): Promise<TaskSummary[]> => ctx.runtime.task.list(input.sessionID)),

  /** The whole record, prompt and result included. */
  get: allowed("read")
    .input(TaskInput)
    .query(({ ctx, input }): Promise<Task> => ctx.runtime.task.get(input.taskID)),

  /** Ends the task with everything under it; one that has ended stays as it is. */
  cancel: allowed("prompt", records("stopped"))
    .input(TaskInput)
    .mutation(({ ctx, input }): Promise<Task> => ctx.runtime.task.cancel(input.taskID)),

  /** Gives a running child a message that it reads before its next step. */
  message: allowed("prompt", records("prompted"))
    .input(MessageInput)
    .mutation(({ ctx, input }): Promise<Task> => ctx.runtime.task.message(input.taskID, input.text)),

  /** Lets the parent go on without waiting for the task. */
  background: allowed("prompt", records("task.directed"))
    .input(TaskInput)
    .mutation(({ ctx, input }): Promise<Task> => ctx.runtime.task.background(input.taskID)),

  /** Starts the same work again in a new child, in the background. */
  retry: allowed("prompt", records("task.directed"))
    .input(TaskInput)
    .mutation(({ ctx, input }): Promise<Task> => ctx.runtime.task.retry(input.taskID)),

  /** Goes on in the child of a task that has ended: another task, in the background. */
  resume: allowed("prompt", records("prompted"))
    .input(MessageInput)
    .mutation(({ ctx, input }): Promise<Task> => ctx.runtime.task.resume(input.taskID, input.text)),

  /** Merges the task's branch into the project; the record tells of conflicts. */
  merge: allowed("merge", records("task.merged", { results: ["state"] }))
    .input(TaskInput)
    .mutation(({ ctx, input }): Promise<Task> => ctx.runtime.task.merge(input.taskID)),
})
