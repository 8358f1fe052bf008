import type { Session, TreeBudget } from "@docket/core/schema"

/** The span that a tree's clock shows (epoch ms); it is running while `end` is null. */
export interface TreeClock {
  start: number
  end: number | null
}

/** The clock of a tree. After a crash, a budget may have no end time: it does not count while nothing works. */
export function treeClock({ worked, since }: Pick<TreeBudget, "worked" | "since">, working: boolean): TreeClock {
  // The clock pauses at times, so its start is shifted: `now - start` is the time worked.
  return since === null || !working ? { start: 0, end: worked } : { start: since - worked, end: null }
}

export function anyWorks(sessions: Readonly<Record<string, Pick<Session, "status">>>): boolean {
  return Object.values(sessions).some(({ status }) => status.type !== "idle")
}
