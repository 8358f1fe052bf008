import type { TaskSummary } from "@docket/core/schema"
import type { LaneSpan } from "./lay-out-lanes.ts"
import type { TaskView } from "./read-task.ts"

/** The lane of a task from its record. `asksSince`: since when a request in it or below it waits (epoch ms). */
export function recordSpans({ time, moments: milestones = [] }: TaskSummary, asksSince: number | null): LaneSpan[] {
  const { created, started, ended } = time
  const spans: LaneSpan[] = []
  if (started === null || started > created) spans.push({ kind: "queued", from: created, until: started ?? ended })
  if (started !== null) spans.push({ kind: "work", from: started, until: ended })
  spans.push(...milestones)
  if (asksSince !== null && ended === null) spans.push({ kind: "wait", from: asksSince, until: null })
  return spans
}

/** The lane of an old task without a record, from the data of its call. */
export function callSpans({ startedAt, times }: TaskView): LaneSpan[] {
  if (startedAt === null || !times?.worked) return []
  const { ms, since } = times.worked
  return [{ kind: "work", from: startedAt, until: since === null ? startedAt + ms : null }]
}
