import type { TaskSummary } from "@docket/core/schema"
import { type LaneLayout, layOutLanes } from "../tools/lay-out-lanes.ts"
import { recordSpans } from "../tools/task-spans.ts"

/** The lanes of the tasks that are drawn, over their common time. */
export interface TaskTracks {
  layout: LaneLayout
  /** Places in the layout, by task. */
  place: ReadonlyMap<string, number>
  drawnAt: number
}

/**
 * One scale for all `tasks` that are drawn, whatever ended before them out of sight. `asking` says since when a request
 * waits, by session. Times are epoch ms.
 */
export function taskTracks(
  tasks: readonly TaskSummary[],
  asking: Readonly<Record<string, number>>,
  drawnAt: number,
): TaskTracks {
  const stretches = tasks.map((task) => recordSpans(task, asking[task.sessionID] ?? null))
  return {
    layout: layOutLanes(stretches, drawnAt),
    place: new Map(tasks.map(({ id }, index) => [id, index])),
    drawnAt,
  }
}
