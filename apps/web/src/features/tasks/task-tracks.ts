import type { TaskSummary } from "@docket/core/schema"
import { type LaneLayout, layOutLanes } from "../tools/lay-out-lanes.ts"
import { recordSpans } from "../tools/task-spans.ts"

/** The bars of the visible tasks on a common time scale. */
export interface TaskTracks {
  layout: LaneLayout
  /** Index in the layout, by task id. */
  place: ReadonlyMap<string, number>
  drawnAt: number
}

/**
 * One time scale for all visible `tasks`; hidden ones do not stretch it. `asking` has the start of the oldest open
 * request by session. Times are epoch ms.
 */
export function taskTracks(
  tasks: readonly TaskSummary[],
  asking: Readonly<Record<string, number>>,
  drawnAt: number,
): TaskTracks {
  const spans = tasks.map((task) => recordSpans(task, asking[task.sessionID] ?? null))
  return {
    layout: layOutLanes(spans, drawnAt),
    place: new Map(tasks.map(({ id }, index) => [id, index])),
    drawnAt,
  }
}
