import type { Turn } from "../schema/index.ts"

/** The order in which the turns of a session run: that of their making. Ids that requests give hold no time. */
export function turnOrder(a: Pick<Turn, "id" | "time">, b: Pick<Turn, "id" | "time">): number {
  return a.time.created - b.time.created || (a.id < b.id ? -1 : 1)
}
