import { formatDuration } from "@docket/core/duration"
import type { Counter, TaskTimes } from "@docket/core/task-times"
import { Elapsed } from "../../ui/elapsed.tsx"

interface TaskClockProps {
  times: TaskTimes
  /** Shows only the working time; the waiting time is in the tooltip and for screen readers. */
  short?: boolean
}

/** How long a task worked and waited: "worked 16 s, waited 2 m 00 s". All task times are shown this way. */
export function TaskClock({ times: { worked, waited }, short = false }: TaskClockProps) {
  const showsWait = waited.since !== null || waited.ms >= shortWait
  const wait = showsWait ? (
    <span className={short ? "visually-hidden" : undefined}>
      {worked === null ? "waited " : ", waited "}
      <Count counter={waited} />
    </span>
  ) : null
  if (worked === null) return wait
  return (
    <span
      className="tabular"
      title={short && waited.since === null && showsWait ? `waited ${formatDuration(waited.ms)}` : undefined}
    >
      <span className={short ? "visually-hidden" : undefined}>worked </span>
      <Count counter={worked} />
      {wait}
    </span>
  )
}

/** The text of `TaskClock` at `now` (epoch ms); null when there is nothing to show. */
export function clockLabel({ worked, waited }: TaskTimes, now: number): string | null {
  const words = [
    ...(worked === null ? [] : [`worked ${formatDuration(countAt(worked, now))}`]),
    ...(countAt(waited, now) < shortWait ? [] : [`waited ${formatDuration(countAt(waited, now))}`]),
  ]
  return words.length === 0 ? null : words.join(", ")
}

function Count({ counter: { ms, since } }: { counter: Counter }) {
  return <Elapsed start={since === null ? 0 : since - ms} end={since === null ? ms : null} />
}

function countAt({ ms, since }: Counter, now: number): number {
  return Math.max(0, since === null ? ms : ms + now - since)
}

/** Shorter waits are not shown: every task is queued briefly, even when it can start at once (ms). */
const shortWait = 1_000
