import type { Turn } from "../schema/index.ts"

/** The turn as a stop leaves it. `now` is epoch ms. */
export function abortedTurn(turn: Turn, now: number): Turn {
  return { ...turn, status: "aborted", time: { ...turn.time, ended: now } }
}
