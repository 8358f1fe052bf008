import type { TaskSummary, ToolPart } from "@docket/core/schema"
import type { LaneSpan } from "./lay-out-lanes.ts"
import { readTask, type TaskView } from "./read-task.ts"
import { callSpans, recordSpans } from "./task-spans.ts"
import { withLiveTask } from "./with-live-task.ts"

/** The lane of one of several tasks of an answer. */
export interface TaskLane {
  /** The call that created the task. */
  partID: string
  task: TaskView
  /** The record of the task; null for an old call without one. */
  record: TaskSummary | null
  /** A request in its session, or below it, waits for an answer. */
  needsYou: boolean
  /** What it did when (epoch ms). */
  spans: LaneSpan[]
}

/**
 * The lanes of delegating calls. `records` are their tasks by part; `asking` says since when a request waits (epoch
 * ms), by child session.
 */
export function taskLanes(
  parts: readonly ToolPart[],
  records: Readonly<Record<string, TaskSummary>>,
  asking: Readonly<Record<string, number>>,
): TaskLane[] {
  return parts.map((part) => {
    const record = records[part.id] ?? null
    const task = withLiveTask(readTask(part), record)
    const asksSince = (task.sessionID === null ? undefined : asking[task.sessionID]) ?? null
    const spans = record === null ? callSpans(task) : recordSpans(record, asksSince)
    return { partID: part.id, task, record, needsYou: asksSince !== null, spans }
  })
}
