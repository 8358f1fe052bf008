import { z } from "zod"
import { Caller } from "./caller.ts"
import { MessageID, PartID, SessionID, TaskID, TodoID, TurnID } from "./ids.ts"
import { ModelRef, TokenUsage } from "./model.ts"

export const TaskState = z.enum([
  "queued",
  "running",
  /** The work is done, but a person must still approve it. */
  "awaiting_review",
  "completed",
  "failed",
  "cancelled",
  "timed_out",
  "interrupted",
])
export type TaskState = z.infer<typeof TaskState>

/** The limits of a task. Null means none. `tokens` counts all kinds, `cost` is USD, `wallClock` is ms. */
export const TaskLimits = z.object({
  tokens: z.number().int().positive().nullable(),
  cost: z.number().positive().nullable(),
  wallClock: z.number().int().positive().nullable(),
  toolCalls: z.number().int().positive().nullable(),
})
export type TaskLimits = z.infer<typeof TaskLimits>

export const TaskError = z.object({
  /** `ProviderAuthError`, `limit_reached`, `output_invalid`, `interrupted`… */
  type: z.string(),
  message: z.string(),
  /** Who cancelled the task, or stopped the work that it was part of. */
  by: Caller.optional(),
})
export type TaskError = z.infer<typeof TaskError>

/** The git worktree of a task and its state. */
export const TaskWorktree = z.object({
  directory: z.string(),
  branch: z.string(),
  /** Commit that the branch started from. */
  base: z.string(),
  state: z.enum(["active", "ready", "merged", "conflict", "removed"]),
  conflicts: z.array(z.string()),
  /** Who merged the branch, or tried to. */
  by: Caller.optional(),
})
export type TaskWorktree = z.infer<typeof TaskWorktree>

/**
 * The answer to a permission request of a child: what the child asked for, in text without hidden characters, and who
 * answered.
 */
export const TaskAnswer = z.object({
  status: z.enum(["once", "always", "answered", "dismissed", "rejected", "expired"]),
  asked: z.string(),
  by: Caller.optional(),
})
export type TaskAnswer = z.infer<typeof TaskAnswer>

/**
 * A moment in the work of a child that people should notice (times in epoch ms): a call or command that failed, or a
 * wait for a person in the child or below it.
 */
export const TaskMoment = z.object({
  kind: z.enum(["error", "wait"]),
  from: z.number(),
  until: z.number(),
  /** The answer that ended a wait; absent in rows of older versions. */
  answer: TaskAnswer.optional(),
})
export type TaskMoment = z.infer<typeof TaskMoment>

/** How much a task changed: files, and the lines that its steps changed, as far as they are known. */
export const TaskSize = z.object({
  files: z.number().int().nonnegative(),
  added: z.number().int().nonnegative(),
  removed: z.number().int().nonnegative(),
})
export type TaskSize = z.infer<typeof TaskSize>

/**
 * One delegation of work to a child session; the child has its own status besides. A child that is resumed gets another
 * task. A task reaches one terminal state (the last five), and only once.
 */
export const Task = z.object({
  id: TaskID,
  /** Counts within the tree from 1; people and models may name a task by it. */
  number: z.number().int().positive(),
  rootID: SessionID,
  /** The session that delegated the work. */
  parentID: SessionID,
  /** The child session. */
  sessionID: SessionID,
  /** The tool call in the parent; null when a person started the task. */
  messageID: MessageID.nullable(),
  partID: PartID.nullable(),
  callID: z.string().nullable(),
  turnID: TurnID.nullable(),
  agent: z.string(),
  description: z.string(),
  prompt: z.string(),
  /** The prompt command that started the task; the prompt of the task contains the output of that command. */
  command: z.string().optional(),
  model: ModelRef,
  /** Whether the parent waits (`blocking`). A blocking task can be sent to the background. */
  mode: z.enum(["blocking", "background"]),
  state: TaskState,
  /** The child's answer, also a partial one. A long answer is cut in its middle and saved whole in `resultPath`. */
  result: z.string().nullable(),
  resultPath: z.string().nullable(),
  outputSchema: z.record(z.string(), z.unknown()).nullable(),
  /** The answer as JSON that fits `outputSchema`. */
  output: z.unknown().nullable(),
  error: TaskError.nullable(),
  /**
   * How long (ms) the task has waited for answers of people, and the start of the current wait (epoch ms). It waits
   * while a request of its own session is open. Absent in rows of older versions.
   */
  waited: z.object({ ms: z.number().nonnegative(), since: z.number().nullable() }).optional(),
  usage: z.object({ tokens: TokenUsage, cost: z.number().nonnegative(), toolCalls: z.number().int().nonnegative() }),
  /** The newest hundred moments, in the order of their ends. */
  moments: z.array(TaskMoment).optional(),
  /** The results of the newest calls of the child, in the order of their ends. */
  calls: z.array(z.enum(["completed", "error"])).optional(),
  limits: TaskLimits,
  /** Epoch ms. */
  deadline: z.number().nullable(),
  /** Measured when the task was done; absent in rows of older versions and for tasks that a crash ended. */
  size: TaskSize.optional(),
  /** The todo that the task serves: when the task completes, it proposes that the todo is completed. */
  todoID: TodoID.nullable(),
  worktree: TaskWorktree.nullable(),
  /** The task ends, and its branch is merged, only after a person has approved it. */
  review: z.literal("required").optional(),
  /** How the parent learned of the end: not yet, in the call's result, by a poll, or in a turn of its own. */
  delivered: z.enum(["no", "result", "poll", "turn"]),
  /** The person who last started, cancelled or merged the task, or wrote to it. */
  by: Caller.optional(),
  /** The person for whom the task works: who wrote the prompt that led to it, or restarted it. Absent in older rows. */
  cause: Caller.optional(),
  time: z.object({ created: z.number(), started: z.number().nullable(), ended: z.number().nullable() }),
})
export type Task = z.infer<typeof Task>

/**
 * The limits of a whole tree and how much of them is used. Tokens, cost and tool calls count for all tasks together.
 * The time counts while anything in the tree works, since the last prompt of a person.
 */
export const TreeBudget = z.object({
  limits: TaskLimits,
  usage: Task.shape.usage,
  /** Working time up to `since`, or all of it while nothing works (ms). */
  worked: z.number().nonnegative(),
  /** When the current work began (epoch ms); null while nothing works. */
  since: z.number().nullable(),
})
export type TreeBudget = z.infer<typeof TreeBudget>

/** A task without its long texts, for lists and events. `result` is cut to 500 characters. */
export const TaskSummary = Task.omit({ prompt: true, command: true, outputSchema: true, output: true })
export type TaskSummary = z.infer<typeof TaskSummary>

/** Characters of the result that a summary keeps. */
const summaryLength = 500

/** The summary of a task for lists and events. */
export function taskSummary(task: Task): TaskSummary {
  const { prompt: _, command: __, outputSchema: ___, output: ____, ...rest } = task
  const result =
    rest.result === null || rest.result.length <= summaryLength
      ? rest.result
      : `${rest.result.slice(0, summaryLength)}…`
  return { ...rest, result }
}
