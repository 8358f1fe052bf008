import type { TaskState, ToolPart } from "@docket/core/schema"
import { hasEnded, taskStates } from "../task/task-state.ts"
import { asRecord, readList, readNumber, readString } from "./read-record.ts"

export interface TaskStep {
  id: string
  tool: string
  status: string
  title: string | null
}

/** A delegated task as its card shows it. Elapsed in ms, cost in USD. */
export interface TaskView {
  sessionID: string | null
  agent: string
  description: string
  prompt: string | null
  result: string | null
  /** Why the task did not complete, for people; null unless the call failed. */
  error: string | null
  state: TaskState
  /** Epoch ms; null before the child starts. */
  startedAt: number | null
  /** Final when the task has ended, else as of the last event. */
  elapsed: number | null
  tokens: number
  cost: number
  toolCount: number
  steps: TaskStep[]
  /** What the child does now, or did last. */
  current: TaskStep | null
}

/** Reads a `task` tool part's metadata; whatever is missing falls back to the call's input and state. */
export function readTask(part: ToolPart): TaskView {
  const { state } = part
  const metadata = state.status === "pending" ? {} : state.metadata
  const input = asRecord(state.input)
  const steps = (readList(metadata, "summary") ?? []).map((item, index) => readStep(item, index))
  const running = steps.findLast((step) => step.status === "running" || step.status === "pending")
  const began = state.status === "pending" ? null : state.time.start
  const ended = state.status === "completed" || state.status === "error" ? state.time.end : null
  return {
    sessionID: readString(metadata, "sessionId", "sessionID"),
    agent: readString(metadata, "agent") ?? readString(input, "subagent_type", "agent") ?? "subagent",
    description: readString(metadata, "description") ?? readString(input, "description") ?? "Task",
    prompt: readString(input, "prompt"),
    result: state.status === "completed" && part.tool !== "async_task" ? withoutTaskMetadata(state.output) : null,
    error: state.status === "error" ? failureReason(state.error) : null,
    state: taskState(part, readString(metadata, "state")),
    startedAt: readNumber(metadata, "startedAt") ?? began,
    elapsed: readNumber(metadata, "elapsed") ?? (began !== null && ended !== null ? ended - began : null),
    tokens: readNumber(metadata, "tokens") ?? 0,
    cost: readNumber(metadata, "cost") ?? 0,
    toolCount: readNumber(metadata, "toolCount") ?? steps.length,
    steps,
    current: running ?? steps.at(-1) ?? null,
  }
}

function readStep(item: unknown, index: number): TaskStep {
  const record = asRecord(item)
  const nested = asRecord(record.state)
  return {
    id: readString(record, "id") ?? String(index),
    tool: readString(record, "tool") ?? "tool",
    status: readString(record, "status") ?? readString(nested, "status") ?? "completed",
    title: readString(record, "title") ?? readString(nested, "title"),
  }
}

/** The call's own end outranks the mirrored state, which may be one event older; `async_task` ends when its task begins. */
function taskState(part: ToolPart, mirrored: string | null): TaskState {
  const { state } = part
  const known = taskStates.find((name) => name === mirrored) ?? null
  if (part.tool === "async_task" && state.status === "completed") return known ?? "running"
  const ended = known !== null && hasEnded(known) ? known : null
  if (state.status === "error") return ended === "completed" ? "failed" : (ended ?? "failed")
  if (state.status === "completed") return ended ?? "completed"
  return known ?? (state.status === "pending" ? "queued" : "running")
}

/** The reason in what a failed call tells the model: without its opening words, the partial answer and the ids. */
function failureReason(error: string): string {
  const [told = ""] = error.split(/\n\n<(?:partial_result|task_metadata)>\n/, 1)
  return told.replace(/^The subagent (?:failed|ran out of time|was stopped): /, "").trim()
}

function withoutTaskMetadata(output: string): string {
  return output.replace(/<task_metadata>[\s\S]*?<\/task_metadata>/g, "").trim()
}
