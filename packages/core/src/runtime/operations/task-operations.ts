import { z } from "zod"
import { records } from "./audit-rule.ts"
import { SessionInput, TaskInput } from "./input.ts"
import { mutation, query } from "./operation.ts"

/** Longer messages belong in a file. */
const maxMessage = 20_000
const MessageInput = TaskInput.extend({ text: z.string().trim().min(1).max(maxMessage) })

/** What people do with the work that agents delegate. */
export const taskOperations = {
  /** All tasks of the tree that contains the session, by number. */
  list: query({ input: SessionInput, run: ({ task }, { sessionID }) => task.list(sessionID) }),

  /** The whole record of a task, with its prompt and result. */
  get: query({ input: TaskInput, run: ({ task }, { taskID }) => task.get(taskID) }),

  /** Ends the task with everything under it. A task that has ended stays as it is. */
  cancel: mutation({
    capability: "prompt",
    audit: records("stopped"),
    input: TaskInput,
    run: ({ task }, { taskID }) => task.cancel(taskID),
  }),

  /** Sends a message to a running child, which reads it before its next step. */
  message: mutation({
    capability: "prompt",
    audit: records("prompted"),
    input: MessageInput,
    idempotent: "remembered",
    member: true,
    run: ({ task }, { taskID, text }) => task.message(taskID, text),
  }),

  /** Lets the parent go on without waiting for the task. */
  background: mutation({
    capability: "prompt",
    audit: records("task.directed"),
    input: TaskInput,
    run: ({ task }, { taskID }) => task.background(taskID),
  }),

  /** Starts the same work again in a new child, in the background. */
  retry: mutation({
    capability: "prompt",
    audit: records("task.directed"),
    input: TaskInput,
    idempotent: "remembered",
    member: true,
    run: ({ task }, { taskID }) => task.retry(taskID),
  }),

  /** Continues in the child of a task that has ended, as another task in the background. */
  resume: mutation({
    capability: "prompt",
    audit: records("prompted"),
    input: MessageInput,
    idempotent: "remembered",
    member: true,
    run: ({ task }, { taskID, text }) => task.resume(taskID, text),
  }),

  /** Merges the task's branch into the project. The record names conflicts. */
  merge: mutation({
    capability: "merge",
    audit: records("task.merged", { results: ["state"] }),
    input: TaskInput,
    run: ({ task }, { taskID }) => task.merge(taskID),
  }),
}
