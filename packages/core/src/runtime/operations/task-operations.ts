import { z } from "zod"
import { ModelRef, PromptInput, SessionID, Task, TaskID, TaskSummary, ToolSwitches } from "../../ground/schema/index.ts"
import { records } from "./audit-rule.ts"
import { SessionInput, TaskInput } from "./input.ts"
import { inner, mutation, query, type RestRequest } from "./operation.ts"
import { invalid, missing } from "./refusals.ts"

/** Longer messages belong in a file. */
const maxMessage = 20_000
/** The most characters of a task's prompt. */
const maxPrompt = 400_000
const MessageInput = TaskInput.extend({ text: z.string().trim().min(1).max(maxMessage) })

const Work = z.object({
  agent: z.string().min(1).max(200),
  description: z.string().trim().min(1).max(200),
  prompt: z.string().trim().min(1).max(maxPrompt),
  model: ModelRef.optional(),
  childID: SessionID.optional(),
  tools: ToolSwitches.optional(),
  outputSchema: PromptInput.shape.outputSchema,
})

/** What routes of `/v1` share. */
const session = { schema: SessionID, called: "session" }
const ofTask = {
  item: { schema: TaskID, called: "task" },
  status: 200,
  answer: { description: "the task", schema: Task },
  refusals: missing,
  read: ({ id }: RestRequest<unknown>) => ({ taskID: id }),
} as const

/** What people do with the work that agents delegate. */
export const taskOperations = {
  /** All tasks of the tree that contains the session, by number. */
  list: query({
    input: SessionInput,
    needs: "rows",
    run: ({ task }, { sessionID }) => task.list(sessionID),
    rest: {
      method: "get",
      path: "/sessions/{id}/tasks",
      operationID: "listTasks",
      summary: "All tasks of the tree around a session, by number.",
      item: session,
      status: 200,
      answer: { description: "the tasks", schema: z.object({ tasks: z.array(TaskSummary) }) },
      refusals: missing,
      read: ({ id }) => ({ sessionID: id }),
      write: (tasks) => ({ tasks }),
    },
  }),

  /** The whole record of a task, with its prompt and result. */
  get: query({
    input: TaskInput,
    needs: "rows",
    run: ({ task }, { taskID }) => task.get(taskID),
    rest: {
      ...ofTask,
      method: "get",
      path: "/tasks/{id}",
      operationID: "getTask",
      summary: "The whole record of a task, with its prompt and result.",
    },
  }),

  /**
   * Starts a task in a child of a session, in the background: a new child, or `childID`. The caller reads the result by
   * themselves, the session is not told of it.
   */
  start: mutation({
    capability: "prompt",
    audit: records("prompted", { facts: ["agent"] }),
    input: SessionInput.extend(Work.shape),
    idempotent: "remembered",
    member: true,
    run: ({ task }, { sessionID, ...asked }) => task.start(sessionID, asked),
    rest: {
      method: "post",
      path: "/sessions/{id}/tasks",
      operationID: "startTask",
      summary: "Starts a task in a child of the session, in the background.",
      item: session,
      body: Work,
      status: 201,
      answer: { description: "the task", schema: Task },
      refusals: { ...invalid, ...missing },
      read: ({ id, body }) => ({ sessionID: id, ...body }),
      about: ({ id }) => ({ task: id }),
    },
  }),

  /** Answers when a task has ended, or with its state after `waitMs`. */
  wait: inner({
    needs: "rows",
    run: ({ task }, { taskID, ...options }: { taskID: string; waitMs: number; signal?: AbortSignal | undefined }) =>
      task.wait(taskID, options),
  }),

  /** Ends the task with everything under it. A task that has ended stays as it is. */
  cancel: mutation({
    capability: "prompt",
    audit: records("stopped"),
    input: TaskInput,
    run: ({ task }, { taskID }) => task.cancel(taskID),
    rest: {
      ...ofTask,
      method: "post",
      path: "/tasks/{id}/cancel",
      operationID: "cancelTask",
      summary: "Ends the task with everything under it. A task that has ended stays as it is.",
    },
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
