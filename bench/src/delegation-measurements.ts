import { readFile } from "node:fs/promises"
import { setTimeout as delay } from "node:timers/promises"
import { z } from "zod"
import { openDesk } from "./desk.ts"
import type { Measurement, Stage } from "./measurement.ts"
import { median } from "./median.ts"
import { onceAStage } from "./once-a-stage.ts"
import { idleMemory } from "./resident-memory.ts"
import { createWorkplace } from "./workplace.ts"

const latency = 200
const children = 64
const concurrency = 8
const child = { latency, steps: 3, call: { name: "read", args: { filePath: "notes.md" } } }
/** ms: two answers of the parent, plus eight rounds of children with four answers each. */
const ideal = latency * (2 + (children / concurrency) * (child.steps + 1))

/** One parent with many children. */
export const delegationMeasurements: Measurement[] = [
  {
    name: "fanout",
    label: "64 children × 3 calls, 8 at once / ideal",
    unit: "×",
    aim: 1.25,
    opencode: "–",
    measure: async (stage) => (await fanOut(stage)).wall / ideal,
  },
  {
    name: "block",
    label: "longest block of the event loop during that",
    unit: "ms",
    aim: 50,
    opencode: "–",
    measure: async (stage) => (await fanOut(stage)).block,
  },
  {
    name: "flat",
    label: "memory when idle, after 256 children / after 64",
    unit: "×",
    aim: 1.1,
    opencode: "–",
    measure: async (stage) => (await fanOut(stage)).growth,
  },
  { name: "tree", label: "tree with 1,000 finished tasks", unit: "ms", aim: 300, opencode: "–", measure: loadTree },
]

interface FanOut {
  /** Duration of a run (ms). */
  wall: number
  /** The longest block of the event loop during it (ms). */
  block: number
  /** Memory after all runs, divided by memory after the first run. */
  growth: number
}

/** All numbers come from the same runs. */
const fanOut = onceAStage(runFanOut)

/** Medians of three runs after a warm-up run, on a separate server that watches its event loop. */
async function runFanOut(stage: Stage): Promise<FanOut> {
  const workplace = await createWorkplace(stage)
  const server = await workplace.startServer({ watchLoop: true })
  const desk = await openDesk(server, workplace.project)
  const run = async () => {
    await longestBlock(server.pid, workplace.loopFile)
    const wall = await desk.delegate({ latency, children }, child)
    return { wall, block: await longestBlock(server.pid, workplace.loopFile) }
  }
  try {
    await run()
    const before = await idleMemory(server)
    const runs = [await run(), await run(), await run()]
    return {
      wall: median(runs.map(({ wall }) => wall)),
      block: median(runs.map(({ block }) => block)),
      growth: (await idleMemory(server)) / before,
    }
  } finally {
    desk.close()
    await server.stop()
    await workplace.remove()
  }
}

const Reading = z.object({ block: z.number(), at: z.number() })

/** The longest block of a process's event loop (ms) since the previous call. */
async function longestBlock(pid: number, file: string): Promise<number> {
  const asked = Date.now()
  process.kill(pid, "SIGUSR2")
  for (;;) {
    const text = await readFile(file, "utf8").catch(() => "")
    const reading = text.endsWith("}") ? Reading.parse(JSON.parse(text)) : null
    if (reading !== null && reading.at >= asked) return reading.block
    await delay(5)
  }
}

async function loadTree({ desk }: Stage): Promise<number> {
  const sessionID = await desk.createSession()
  const rounds = 20
  for (let round = 0; round < rounds; round++)
    await desk.delegateIn(sessionID, { children: 1_000 / rounds }, { chunks: 1 })
  const run = async () => {
    const start = performance.now()
    const tasks = await desk.loadTasks(sessionID)
    if (tasks !== 1_000) throw new Error(`${tasks} of 1,000 tasks came`)
    return performance.now() - start
  }
  await run()
  return median([await run(), await run(), await run(), await run(), await run()])
}
