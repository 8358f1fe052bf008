import type { Turn } from "../schema/index.ts"

/** The turn as its next claim leaves it, or null when it cannot be claimed. `now` is epoch ms. */
export function claimedTurn(turn: Turn, now: number): Turn | null {
  if (turn.status !== "queued" && turn.status !== "interrupted") return null
  return {
    ...turn,
    status: "running",
    attempt: turn.attempt + 1,
    epoch: turn.epoch + 1,
    error: null,
    time: { ...turn.time, started: now, ended: null },
  }
}
