import type { Caller, Turn } from "../../ground/schema/index.ts"

/** The turn as a stop leaves it. `now` is epoch ms; `by` is who stopped it. */
export function abortedTurn(turn: Turn, now: number, by?: Caller): Turn {
  return { ...turn, status: "aborted", ...(by && { stoppedBy: by }), time: { ...turn.time, ended: now } }
}
