import { setTimeout as delay } from "node:timers/promises"
import type { TurnPlan } from "./desk.ts"
import type { Stage } from "./measurement.ts"
import type { Readers } from "./open-readers.ts"
import { repeat } from "./overhead.ts"
import { processorTime } from "./processor-time.ts"

const steps = 20
/** A model with a delay, so that readers see each call end separately. */
export const watchedPlan: TurnPlan = { latency: 100, steps, call: { name: "read", args: { filePath: "notes.md" } } }
/** Maximum time for the slowest reader before a run counts as failed (ms). */
const giveUpMs = 5_000
/** Time until all readers are connected, have received the end of a turn, or are disconnected (ms). */
const settleMs = 300

/** Resolves when this many readers were notified of every call of a watched turn. */
export async function allHeard({ heard }: Readers, readers: number): Promise<void> {
  const until = performance.now() + giveUpMs
  const isHeard = () => heard.size === steps && [...heard.values()].every(({ at }) => at.length >= readers)
  while (!isHeard()) {
    if (performance.now() > until) throw new Error("a reader did not hear of every call")
    await delay(10)
  }
}

export interface WatchedTurn {
  alone: number
  watched: number
}

/** Alternates turns with and without readers, so that disturbances of the machine affect both. */
export async function watchedTurns(turn: () => Promise<number>, open: () => Promise<Readers>): Promise<WatchedTurn[]> {
  const watched = async () => {
    const audience = await open()
    try {
      // Connecting so many readers costs time too, which must not count for the turn.
      await delay(settleMs)
      return await turn()
    } finally {
      audience.close()
      // Closing the readers causes notifications too, which must not count for the next turn.
      await delay(settleMs)
    }
  }
  await turn()
  await watched()
  return await repeat(5, async () => ({ alone: await turn(), watched: await watched() }))
}

/** The ratio of the best turns, because other programs can only make a turn longer. */
export function ratioOfBest(turns: readonly WatchedTurn[]): number {
  return Math.min(...turns.map(({ watched }) => watched)) / Math.min(...turns.map(({ alone }) => alone))
}

/** Processor time of the service for a turn, until the last readers have received its end (ms). */
export async function turnProcessorTime(
  { desk, server }: Pick<Stage, "desk" | "server">,
  sessionID: string,
  turn: TurnPlan = {},
): Promise<number> {
  const time = () => processorTime(server.pid) ?? Number.NaN
  const before = time()
  await desk.turn(sessionID, turn)
  await delay(settleMs)
  return time() - before
}
