import type { TodoStatus } from "@docket/core/schema"
import { formatClock } from "../../ui/format.ts"

interface Span {
  startedAt: number
  endedAt: number | null
  worked: boolean | null
}

/** Label for a span during which an item was in progress: its work is shown only if there was some. */
export function spanLabel({ startedAt, endedAt, worked }: Span): string {
  const [start, end] = [formatClock(startedAt), endedAt === null ? null : formatClock(endedAt)]
  if (end === null) return `In progress since ${start}`
  const when = start === end ? `at ${start}` : `${start} – ${end}`
  if (worked === false) return `In progress ${when}; no call lies between`
  return `${worked ? "Worked on" : "In progress"} ${when}`
}

/** Message for an item that was never in progress. */
export function unworkedMessage(status: TodoStatus): string {
  return status === "completed" ? "Set to done without having been in progress." : "Nobody has worked on it yet."
}
