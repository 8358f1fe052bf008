import { type Desk, openDesk } from "./desk.ts"
import type { Measurement, Stage } from "./measurement.ts"
import { onceAStage } from "./once-a-stage.ts"
import { openReaders, type ReaderOf, type Readers } from "./open-readers.ts"
import { openTeam } from "./open-team.ts"
import { overhead } from "./overhead.ts"
import { percentile } from "./percentile.ts"
import { residentMemory } from "./resident-memory.ts"
import { allHeard, ratioOfBest, turnProcessorTime, watchedPlan, watchedTurns } from "./watched-turns.ts"

const readers = 200
/** Time between two samples of the service's memory (ms). */
const lookMs = 50

const conditions = `${readers} people of a team, each signed in with an account of their own, have one session open: the one stream that a page of the web app holds, with its place in the session. A turn of ${watchedPlan.steps} calls runs, ${watchedPlan.latency} ms of the model before each. An event counts from the end of the call until a reader has it.`

/** Many signed-in users who read one tree. */
export const readerMeasurements: Measurement[] = [
  row({
    name: "team-readers",
    label: `event to ${readers} signed-in readers of one tree, 99th percentile`,
    unit: "ms",
    aim: 250,
    pick: ({ event }) => event,
  }),
  row({
    name: "team-readers-memory",
    label: "most memory of the service meanwhile",
    unit: "MiB",
    aim: 400,
    pick: ({ memory }) => memory,
  }),
  row({
    name: "team-readers-turn",
    label: `time of a turn without its model's, with ${readers} readers / with none`,
    unit: "×",
    aim: 1.2,
    pick: ({ turn }) => turn,
  }),
  row({
    name: "team-readers-cpu",
    label: "processor time of the service meanwhile, with them / with none",
    unit: "×",
    aim: 2,
    pick: ({ processor }) => processor,
  }),
]

interface Figures {
  event: number
  memory: number
  turn: number
  processor: number
}

function row({
  pick,
  ...rest
}: Omit<Measurement, "measure" | "opencode"> & { pick(figures: Figures): number }): Measurement {
  return { ...rest, opencode: "–", conditions, measure: async (stage) => pick(await figures(stage)) }
}

/** One team for all rows, because adding so many members takes a while. */
const figures = onceAStage(measureReaders)

async function measureReaders(stage: Stage): Promise<Figures> {
  const team = await openTeam(stage)
  const desk = await openDesk(team.server, team.workplace.project)
  try {
    const sessionID = await desk.createSession()
    const streams = (await team.join(readers)).map((headers, index) => ({
      url: `${team.origin}/api/trpc/event.subscribe?input=${pageInput(sessionID, index)}`,
      headers,
    }))
    const parts = { desk, server: team.server, provider: stage.provider }
    const open = () => openReaders(streams, { parse: false })
    return await withMemory(team.server.pid, async () => {
      const event = await slowestEvents(desk, sessionID, streams)
      const turns = await watchedTurns(() => overhead(parts, sessionID, watchedPlan), open)
      const times = await watchedTurns(() => turnProcessorTime(parts, sessionID, watchedPlan), open)
      return { event, turn: ratioOfBest(turns), processor: ratioOfBest(times) }
    })
  } finally {
    desk.close()
    await team.close()
  }
}

/** The subscription input of a web app page. */
function pageInput(sessionID: string, index: number): string {
  const viewer = { id: `reader-of-bench-${index}`, place: { sessionID, view: "session" } }
  return encodeURIComponent(JSON.stringify({ rootID: sessionID, others: true, viewer }))
}

async function slowestEvents(desk: Desk, sessionID: string, streams: readonly ReaderOf[]): Promise<number> {
  const delaysOf = async (audience: Readers) => {
    await desk.turn(sessionID, watchedPlan)
    await allHeard(audience, readers)
    return [...audience.heard.values()].flatMap(({ ended, at }) => at.map((time) => time - ended))
  }
  // The first turn warms up the service's code, also for its readers; only the second one counts.
  for (const isLast of [false, true]) {
    const audience = await openReaders(streams, { parse: true })
    const waits = await delaysOf(audience).finally(audience.close)
    if (isLast) return percentile(waits, 0.99)
  }
  return Number.NaN
}

/** Runs `work` and adds the highest memory use of the process meanwhile. */
async function withMemory<Value extends object>(
  pid: number,
  work: () => Promise<Value>,
): Promise<Value & { memory: number }> {
  let most = 0
  const looking = setInterval(() => {
    try {
      most = Math.max(most, residentMemory(pid))
    } catch {
      // The process has ended; its user reports the reason.
      clearInterval(looking)
    }
  }, lookMs)
  try {
    return { ...(await work()), memory: most }
  } finally {
    clearInterval(looking)
  }
}
