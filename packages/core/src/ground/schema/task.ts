import { z } from "zod"
import { Caller } from "./caller.ts"
import { MessageID, PartID, SessionID, TaskID, TodoID, TurnID } from "./ids.ts"
import { ModelRef, TokenUsage } from "./model.ts"

export const TaskState = z.enum([
  "queued",
  "running",
  /** Done, and a person has yet to approve it. */
  "awaiting_review",
  "completed",
  "failed",
  "cancelled",
  "timed_out",
  "interrupted",
])
export type TaskState = z.infer<typeof TaskState>

/** Ceilings of a task. Null means none. `tokens` counts all kinds, `cost` is USD, `wallClock` is ms. */
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
  /** Who cancelled it, or stopped the work above it. */
  by: Caller.optional(),
})
export type TaskError = z.infer<typeof TaskError>

/** A git worktree that a task works in, and what became of it. */
export const TaskWorktree = z.object({
  directory: z.string(),
  branch: z.string(),
  /** Commit that the branch started from. */
  base: z.string(),
  state: z.enum(["active", "ready", "merged", "conflict", "removed"]),
  conflicts: z.array(z.string()),
  /** Who merged it, or tried to. */
  by: Caller.optional(),
})
export type TaskWorktree = z.infer<typeof TaskWorktree>

/**
 * How a request of a child was answered: what it asked leave for, in words that are seen as they are, and who answered.
 */
export const TaskAnswer = z.object({
  status: z.enum(["once", "always", "answered", "dismissed", "rejected", "expired"]),
  asked: z.string(),
  by: Caller.optional(),
})
export type TaskAnswer = z.infer<typeof TaskAnswer>

/**
 * What stood out in the work of a child, epoch ms: a call or command of it that failed, or a wait for a person in it or
 * below it.
 */
export const TaskMoment = z.object({
  kind: z.enum(["error", "wait"]),
  from: z.number(),
  until: z.number(),
  /** The end of a wait; rows of older versions do not tell. */
  answer: TaskAnswer.optional(),
})
export type TaskMoment = z.infer<typeof TaskMoment>

/** How much a task changed: files, and the lines of its steps as far as they are known. */
export const TaskSize = z.object({
  files: z.number().int().nonnegative(),
  added: z.number().int().nonnegative(),
  removed: z.number().int().nonnegative(),
})
export type TaskSize = z.infer<typeof TaskSize>

/**
 * One delegation: a call that made a child session work, apart from the child's own status. A child that
 * is resumed gets another task. Every terminal state (the last five) is reached once.
 */
export const Task = z.object({
  id: TaskID,
  /** Counts within the tree from 1; people and models may name a task by it. */
  number: z.number().int().positive(),
  rootID: SessionID,
  /** The session that delegated. */
  parentID: SessionID,
  /** The child session. */
  sessionID: SessionID,
  /** The tool call in the parent; null when a person started it. */
  messageID: MessageID.nullable(),
  partID: PartID.nullable(),
  callID: z.string().nullable(),
  turnID: TurnID.nullable(),
  agent: z.string(),
  description: z.string(),
  prompt: z.string(),
  /** The command of a prompt that it comes of: its own prompt holds what that put out. */
  command: z.string().optional(),
  model: ModelRef,
  /** Whether the parent waits. A blocking task becomes a background one when it is sent there. */
  mode: z.enum(["blocking", "background"]),
  state: TaskState,
  /** The child's answer, also a partial one. A long one is cut to head and tail and lies whole in `resultPath`. */
  result: z.string().nullable(),
  resultPath: z.string().nullable(),
  outputSchema: z.record(z.string(), z.unknown()).nullable(),
  /** The answer as JSON that fits `outputSchema`. */
  output: z.unknown().nullable(),
  error: TaskError.nullable(),
  /**
   * How long (ms) it waited for answers of people, and since when it does now (epoch ms); rows of older versions have
   * none. It waits while a request of its own session is open.
   */
  waited: z.object({ ms: z.number().nonnegative(), since: z.number().nullable() }).optional(),
  usage: z.object({ tokens: TokenUsage, cost: z.number().nonnegative(), toolCalls: z.number().int().nonnegative() }),
  /** The newest hundred, in the order of their ends. */
  moments: z.array(TaskMoment).optional(),
  /** How the newest calls of the child went, in the order of their ends. */
  calls: z.array(z.enum(["completed", "error"])).optional(),
  limits: TaskLimits,
  /** Epoch ms. */
  deadline: z.number().nullable(),
  /** Measured when it was done; rows of older versions, and tasks that a crash ended, have none. */
  size: TaskSize.optional(),
  /** The todo that it serves: its completion proposes the todo's. */
  todoID: TodoID.nullable(),
  worktree: TaskWorktree.nullable(),
  /** It ends, and its branch is merged, only once a person has approved it. */
  review: z.literal("required").optional(),
  /** How the end reached the parent: not yet, in the call's result, by a poll, or as a synthetic turn. */
  delivered: z.enum(["no", "result", "poll", "turn"]),
  /** The person who last did something with it: started, cancelled or merged it, or spoke to it. */
  by: Caller.optional(),
  /** For whom it works: who prompted what led to it, or started it again. Rows of older versions have none. */
  cause: Caller.optional(),
  time: z.object({ created: z.number(), started: z.number().nullable(), ended: z.number().nullable() }),
})
export type Task = z.infer<typeof Task>

/**
 * The limits of a whole tree and what of them is used. Tokens, cost and tool calls are those of all tasks together;
 * the time is that in which anything in the tree worked since the last prompt of a person.
 */
export const TreeBudget = z.object({
  limits: TaskLimits,
  usage: Task.shape.usage,
  /** ms up to `since`, or in all while nothing works. */
  worked: z.number().nonnegative(),
  /** Epoch ms from which more time counts; null while nothing works. */
  since: z.number().nullable(),
})
export type TreeBudget = z.infer<typeof TreeBudget>

/** A task without its long texts: what lists and events carry. `result` is cut to 500 characters. */
export const TaskSummary = Task.omit({ prompt: true, command: true, outputSchema: true, output: true })
export type TaskSummary = z.infer<typeof TaskSummary>

/** Characters of the result that a summary keeps. */
const summaryLength = 500

/** A task as lists and events carry it. */
export function taskSummary(task: Task): TaskSummary {
  const { prompt: _, command: __, outputSchema: ___, output: ____, ...rest } = task
  const result =
    rest.result === null || rest.result.length <= summaryLength
      ? rest.result
      : `${rest.result.slice(0, summaryLength)}…`
  return { ...rest, result }
}
