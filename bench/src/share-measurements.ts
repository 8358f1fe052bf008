import { setTimeout as delay } from "node:timers/promises"
import type { Measurement, Stage } from "./measurement.ts"
import { median } from "./median.ts"
import { overhead, repeat } from "./overhead.ts"
import { openViewers } from "./share-viewers.ts"

const viewers = 200
const steps = 20
/** A model that takes its time: readers see each call end by itself. */
const plan = { latency: 100, steps, call: { name: "read", args: { filePath: "notes.md" } } }
/** How long the slowest of them may take before a run counts as failed (ms). */
const longest = 5_000

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
    label: `own cost of a turn with ${viewers} viewers / with none`,
    unit: "×",
    aim: 1.2,
    opencode: "–",
    measure: turnCost,
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

/** By turns, so that what else the machine does counts for both. */
async function turnCost(stage: Stage): Promise<number> {
  const { desk } = stage
  const sessionID = await desk.createSession()
  const url = await desk.share(sessionID)
  const alone = () => overhead(stage, sessionID, plan)
  const watched = async () => {
    const audience = await openViewers(url, viewers, false)
    try {
      return await overhead(stage, sessionID, plan)
    } finally {
      audience.close()
    }
  }
  await alone()
  await watched()
  const pairs = await repeat(3, async () => ({ alone: await alone(), watched: await watched() }))
  return median(pairs.map((pair) => pair.watched)) / median(pairs.map((pair) => pair.alone))
}
