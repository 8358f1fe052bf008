import { setTimeout as delay } from "node:timers/promises"
import type { TurnPlan } from "./desk.ts"
import type { Measurement, Stage } from "./measurement.ts"
import { overhead, repeat } from "./overhead.ts"
import { processorTime } from "./processor-time.ts"
import { openViewers } from "./share-viewers.ts"

const viewers = 200
const steps = 20
/** A model that takes its time: readers see each call end by itself. */
const plan = { latency: 100, steps, call: { name: "read", args: { filePath: "notes.md" } } }
/** How long the slowest of them may take before a run counts as failed (ms). */
const longest = 5_000
/** Until the end of a turn was told to all (ms). */
const lastWords = 300

/** Many readers of one shared session. */
export const shareMeasurements: Measurement[] = [
  {
    name: "share-viewers",
    label: `event to ${viewers} viewers of one share, 99th percentile`,
    unit: "ms",
    aim: 250,
    opencode: "–",
    measure: slowestEvents,
  },
  {
    name: "share-viewers-turn",
    label: `time of a turn without its model's, with ${viewers} viewers / with none`,
    unit: "×",
    aim: 1.2,
    opencode: "–",
    measure: async (stage) => ratio(await watchedTurns(stage, overhead)),
  },
  {
    // What all of it costs, the copy and what is sent to each reader counted: the turn does not wait for that.
    name: "share-viewers-cpu",
    label: "processor time of the service meanwhile, with them / with none",
    unit: "×",
    aim: 2,
    opencode: "–",
    measure: async (stage) => ratio(await watchedTurns(stage, turnProcessorTime)),
  },
]

/** From when the owner's own page hears that a call ended until a viewer does. */
async function slowestEvents({ desk }: Stage): Promise<number> {
  const sessionID = await desk.createSession()
  const told = await desk.endedCalls(sessionID)
  const audience = await openViewers(await desk.share(sessionID), viewers, true)
  try {
    await desk.turn(sessionID, plan)
    await allHeard(audience.heard)
    const waits = Array.from(audience.heard, ([part, times]) => times.map((time) => time - (told.get(part) ?? time)))
    const sorted = waits.flat().sort((left, right) => left - right)
    return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN
  } finally {
    audience.close()
  }
}

async function allHeard(heard: ReadonlyMap<string, readonly number[]>): Promise<void> {
  const until = performance.now() + longest
  const isHeard = () => heard.size === steps && [...heard.values()].every((times) => times.length >= viewers)
  while (!isHeard()) {
    if (performance.now() > until) throw new Error("a viewer did not hear of every call")
    await delay(10)
  }
}

interface WatchedTurn {
  alone: number
  watched: number
}

/** By turns, so that what else the machine does counts for both. */
async function watchedTurns(stage: Stage, measure: typeof overhead): Promise<WatchedTurn[]> {
  const { desk } = stage
  const sessionID = await desk.createSession()
  const url = await desk.share(sessionID)
  const alone = () => measure(stage, sessionID, plan)
  const watched = async () => {
    const audience = await openViewers(url, viewers, false)
    try {
      return await measure(stage, sessionID, plan)
    } finally {
      audience.close()
    }
  }
  await alone()
  await watched()
  return await repeat(5, async () => ({ alone: await alone(), watched: await watched() }))
}

/** Of the best of each: what other programs do can only make a turn longer. */
function ratio(turns: readonly WatchedTurn[]): number {
  return Math.min(...turns.map(({ watched }) => watched)) / Math.min(...turns.map(({ alone }) => alone))
}

/** Of the service during a turn, and until its last readers have heard its end (ms). */
async function turnProcessorTime(stage: Stage, sessionID: string, turn?: TurnPlan): Promise<number> {
  const time = () => processorTime(stage.server.pid) ?? Number.NaN
  const before = time()
  await stage.desk.turn(sessionID, turn ?? {})
  await delay(lastWords)
  return time() - before
}
