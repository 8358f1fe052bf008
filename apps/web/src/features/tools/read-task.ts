import { programOfModel } from "@docket/core/program-of-model"
import type { TaskState, ToolPart } from "@docket/core/schema"
import type { TaskTimes } from "@docket/core/task-times"
import { type MetadataOf, readToolCall } from "@docket/core/tool-metadata"
import { hasEnded } from "../task/task-state.ts"
import { textArgument } from "./arguments.ts"

export interface TaskStep {
  id: string
  tool: string
  status: string
  title: string | null
}

/** A delegated task as its card shows it. Cost in USD. */
export interface TaskView {
  sessionID: string | null
  agent: string
  /** The program of other people that does it; null where a model does. */
  program: string | null
  description: string
  prompt: string | null
  result: string | null
  /** Why the task did not complete, in words for users; null unless the call failed. */
  error: string | null
  state: TaskState
  /** Epoch ms; null before the child starts. */
  startedAt: number | null
  /** Null while nothing is known about it. */
  times: TaskTimes | null
  tokens: number
  cost: number
  toolCount: number
  steps: TaskStep[]
  /** The current step of the child, or its last one. */
  current: TaskStep | null
}

/** Reads a `task` or `async_task` part. Missing values fall back to the call's arguments and state. */
export function readTask(part: ToolPart): TaskView {
  const { state } = part
  const call = readToolCall(part)
  const asyncCall = call.tool === "async_task" ? call.metadata : null
  const taskCall = call.tool === "task" ? call.metadata : null
  const metadata = asyncCall ?? taskCall
  const agentArgument = call.tool === "async_task" ? "agent" : "subagent_type"
  const began = state.status === "pending" ? null : state.time.start
  const ended = state.status === "completed" || state.status === "error" ? state.time.end : null
  const startedAt = taskCall?.startedAt ?? began
  const shownState = taskState(part, metadata?.state ?? null)
  return {
    sessionID: metadata?.sessionId ?? null,
    agent: metadata?.agent ?? textArgument(part, agentArgument) ?? "subagent",
    program: programOfModel(taskCall?.model ?? null),
    description: metadata?.description ?? textArgument(part, "description") ?? "Task",
    prompt: textArgument(part, "prompt"),
    result:
      state.status === "completed" && call.tool !== "async_task"
        ? state.output.slice(0, taskCall?.answerLength).trim()
        : null,
    error: state.status === "error" ? (taskCall?.failure ?? state.error) : null,
    state: shownState,
    startedAt,
    times: callTimes(startedAt, shownState, taskCall?.elapsed ?? (ended ?? 0) - (began ?? 0)),
    tokens: taskCall?.tokens ?? 0,
    cost: taskCall?.cost ?? 0,
    toolCount: taskCall?.toolCount ?? 0,
    ...steps(taskCall?.summary ?? []),
  }
}

/** The times of an old task without a record: its call has no queue time. `started` is epoch ms, `took` ms. */
function callTimes(started: number | null, state: TaskState, took: number): TaskTimes | null {
  if (started === null) return null
  const worked = hasEnded(state) ? { ms: took, since: null } : { ms: 0, since: started }
  return { waited: { ms: 0, since: null }, worked }
}

function steps(summary: MetadataOf<"task">["summary"]): Pick<TaskView, "steps" | "current"> {
  const all = summary.map((step) => ({ ...step, title: step.title || null }))
  const running = all.findLast((step) => step.status === "running" || step.status === "pending")
  return { steps: all, current: running ?? all.at(-1) ?? null }
}

/**
 * The final state of the call outranks the mirrored state, which may be one event older. An `async_task` call ends when
 * its task begins.
 */
function taskState(part: ToolPart, mirrored: TaskState | null): TaskState {
  const { state } = part
  if (part.tool === "async_task" && state.status === "completed") return mirrored ?? "running"
  const ended = mirrored !== null && hasEnded(mirrored) ? mirrored : null
  if (state.status === "error") return ended === "completed" ? "failed" : (ended ?? "failed")
  if (state.status === "completed") return ended ?? "completed"
  return mirrored ?? (state.status === "pending" ? "queued" : "running")
}
