import type { Session, TreeBudget } from "@docket/core/schema"

/** The stretch of epoch ms that a tree's clock shows; it runs on while `end` is null. */
export interface TreeClock {
  start: number
  end: number | null
}

/** The clock of a tree. A budget that was left open, as by a crash, does not count on while nothing works. */
export function treeClock({ worked, since }: Pick<TreeBudget, "worked" | "since">, working: boolean): TreeClock {
  // The clock stands still now and then: it runs as if it had begun so much later.
  return since === null || !working ? { start: 0, end: worked } : { start: since - worked, end: null }
}

/** Whether any session of a tree works. */
export function anyWorks(sessions: Readonly<Record<string, Pick<Session, "status">>>): boolean {
  return Object.values(sessions).some(({ status }) => status.type !== "idle")
}
