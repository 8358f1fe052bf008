import type { TaskSummary } from "@docket/core/schema"
import { hasEnded } from "../task/task-state.ts"

export interface TaskGroups {
  /** Done, but a user has to approve it. Oldest first. */
  held: TaskSummary[]
  /** Oldest first. */
  running: TaskSummary[]
  /** In the order in which they will start. */
  queued: TaskSummary[]
  /** Latest end first. */
  finished: TaskSummary[]
  /** Position in the queue of its parent, from 1, by task id. */
  place: ReadonlyMap<string, number>
}

export function groupTasks(tasks: Iterable<TaskSummary>): TaskGroups {
  const all = [...tasks].sort((a, b) => a.number - b.number)
  const queued = all.filter((task) => task.state === "queued")
  const place = new Map<string, number>()
  const queueLength = new Map<string, number>()
  for (const task of queued) {
    const position = (queueLength.get(task.parentID) ?? 0) + 1
    queueLength.set(task.parentID, position)
    place.set(task.id, position)
  }
  return {
    held: all.filter((task) => task.state === "awaiting_review"),
    running: all.filter((task) => task.state === "running"),
    queued,
    finished: all.filter((task) => hasEnded(task.state)).sort((a, b) => endOf(b) - endOf(a) || b.number - a.number),
    place,
  }
}

function endOf(task: TaskSummary): number {
  return task.time.ended ?? task.time.created
}
