import type { Schedule } from "../../ground/schema/index.ts"
import { nextFireAt } from "./next-fire-at.ts"

/** A run that starts later than this after it fell due (ms) was missed: the host slept or its clock was set. */
const lateness = 2 * 60_000

export interface DueSituation {
  now: number
  /** When this scheduler began: what fell due before was missed. */
  startedAt: number
  /** A run of this schedule is going on. */
  running: boolean
  timeZone: string
}

/** What to do with a schedule. `schedule` is how it goes on: what falls due next, or its end. */
export type DueDecision =
  | { kind: "wait" }
  | { kind: "skip"; dueAt: number; schedule: Schedule }
  | { kind: "run"; dueAt: number; schedule: Schedule }

/**
 * Decides about a schedule by its policy for missed runs. Runs that could not start because the one before
 * was going on count as missed, so that no two runs of a schedule overlap: `all` makes up for each of them
 * one after another, `once` for all of them with one, `skip` for none. A one-shot waits for its turn.
 */
export function decideDue(schedule: Schedule, situation: DueSituation): DueDecision {
  const { now, startedAt, running, timeZone } = situation
  const dueAt = schedule.nextFireAt
  if (schedule.status !== "active" || dueAt === null || dueAt > now) return { kind: "wait" }
  const dropped = schedule.missed === "skip" && (dueAt < startedAt || now - dueAt > lateness)
  if (schedule.kind === "one-shot") {
    if (running) return { kind: "wait" }
    const status = dropped ? "failed" : "completed"
    return { kind: dropped ? "skip" : "run", dueAt, schedule: { ...schedule, status, nextFireAt: null } }
  }
  if (running && schedule.missed !== "skip") return { kind: "wait" }
  const next = nextFireAt(schedule, schedule.missed === "all" ? dueAt : now, timeZone)
  const goesOn: Schedule =
    next === null ? { ...schedule, status: "completed", nextFireAt: null } : { ...schedule, nextFireAt: next }
  return { kind: dropped || running ? "skip" : "run", dueAt, schedule: goesOn }
}
