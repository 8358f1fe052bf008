import type { Measurement, Stage } from "./measurement.ts"
import { openReaders } from "./open-readers.ts"
import { overhead } from "./overhead.ts"
import { percentile } from "./percentile.ts"
import {
  allHeard,
  ratioOfBest,
  turnProcessorTime,
  type WatchedTurn,
  watchedPlan,
  watchedTurns,
} from "./watched-turns.ts"

const viewers = 200

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
    measure: async (stage) => ratioOfBest(await viewedTurns(stage, overhead)),
  },
  {
    // The whole cost, including the copy and what is sent to each reader; the turn itself does not wait for that.
    name: "share-viewers-cpu",
    label: "processor time of the service meanwhile, with them / with none",
    unit: "×",
    aim: 2,
    opencode: "–",
    measure: async (stage) => ratioOfBest(await viewedTurns(stage, turnProcessorTime)),
  },
]

/** From the time the owner's page is notified that a call ended until a viewer is. */
async function slowestEvents({ desk }: Stage): Promise<number> {
  const sessionID = await desk.createSession()
  const ownerTold = await desk.endedCalls(sessionID)
  const audience = await openReaders(readersOf(await desk.share(sessionID)), { parse: true })
  try {
    await desk.turn(sessionID, watchedPlan)
    await allHeard(audience, viewers)
    const waits = Array.from(audience.heard, ([part, { at }]) => at.map((time) => time - (ownerTold.get(part) ?? time)))
    return percentile(waits.flat(), 0.99)
  } finally {
    audience.close()
  }
}

async function viewedTurns(stage: Stage, measure: typeof overhead | typeof turnProcessorTime): Promise<WatchedTurn[]> {
  const sessionID = await stage.desk.createSession()
  const readers = readersOf(await stage.desk.share(sessionID))
  return await watchedTurns(
    () => measure(stage, sessionID, watchedPlan),
    () => openReaders(readers, { parse: false }),
  )
}

function readersOf(link: string) {
  const { origin, pathname } = new URL(link)
  return Array.from({ length: viewers }, () => ({ url: `${origin}/api${pathname}/events` }))
}
