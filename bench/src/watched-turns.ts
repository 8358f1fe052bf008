import { setTimeout as delay } from "node:timers/promises"
import type { TurnPlan } from "./desk.ts"
import type { Stage } from "./measurement.ts"
import type { Readers } from "./open-readers.ts"
import { repeat } from "./overhead.ts"
import { processorTime } from "./processor-time.ts"

const steps = 20
/** A model that takes its time: readers see each call end by itself. */
export const watchedPlan: TurnPlan = { latency: 100, steps, call: { name: "read", args: { filePath: "notes.md" } } }
/** How long the slowest of the readers may take before a run counts as failed (ms). */
const longest = 5_000
/** Until the end of a turn was told to all (ms). */
const lastWords = 300

/** Resolves when so many readers have heard of every call of a watched turn. */
export async function allHeard({ heard }: Readers, readers: number): Promise<void> {
  const until = performance.now() + longest
  const isHeard = () => heard.size === steps && [...heard.values()].every(({ at }) => at.length >= readers)
  while (!isHeard()) {
    if (performance.now() > until) throw new Error("a reader did not hear of every call")
    await delay(10)
  }
}

export function percentile99(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN
}

export interface WatchedTurn {
  alone: number
  watched: number
}

/** By turns, so that what else the machine does counts for both. */
export async function watchedTurns(turn: () => Promise<number>, open: () => Promise<Readers>): Promise<WatchedTurn[]> {
  const watched = async () => {
    const audience = await open()
    try {
      // To let so many in costs too: not the turn.
      await delay(lastWords)
      return await turn()
    } finally {
      audience.close()
      // Those who left are told of too: not in the next turn.
      await delay(lastWords)
    }
  }
  await turn()
  await watched()
  return await repeat(5, async () => ({ alone: await turn(), watched: await watched() }))
}

/** Of the best of each: what other programs do can only make a turn longer. */
export function ratioOfBest(turns: readonly WatchedTurn[]): number {
  return Math.min(...turns.map(({ watched }) => watched)) / Math.min(...turns.map(({ alone }) => alone))
}

/** Of the service during a turn, and until its last readers have heard its end (ms). */
export async function turnProcessorTime(
  { desk, server }: Pick<Stage, "desk" | "server">,
  sessionID: string,
  turn: TurnPlan = {},
): Promise<number> {
  const time = () => processorTime(server.pid) ?? Number.NaN
  const before = time()
  await desk.turn(sessionID, turn)
  await delay(lastWords)
  return time() - before
}
