import type { TaskSummary } from "@docket/core/schema"

/** The task that a child works for, or did last: a child can be gone on with. */
export function newestTask(tasks: Readonly<Record<string, TaskSummary>>, sessionID: string): TaskSummary | null {
  const own = Object.values(tasks).filter((task) => task.sessionID === sessionID)
  return own.toSorted((a, b) => a.number - b.number).at(-1) ?? null
}
