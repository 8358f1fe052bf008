import { setTimeout as delay } from "node:timers/promises"
import { lighthouseMeasurements } from "./browser/lighthouse-measurements.ts"
import { pageMeasurements } from "./browser/page-measurements.ts"
import { changeMeasurements } from "./change-measurements.ts"
import { configMeasurements } from "./config-measurements.ts"
import { delegationMeasurements } from "./delegation-measurements.ts"
import { openDesk } from "./desk.ts"
import { diagnosticsMeasurements } from "./diagnostics-measurements.ts"
import { editMeasurements } from "./edit-measurements.ts"
import { formatterMeasurements } from "./formatter-measurements.ts"
import { hookMeasurements } from "./hook-measurements.ts"
import { mcpMeasurements } from "./mcp-measurements.ts"
import type { Measurement, Stage } from "./measurement.ts"
import { median } from "./median.ts"
import { nodesMeasurements } from "./nodes/nodes-measurements.ts"
import { overhead, repeat } from "./overhead.ts"
import { packageMeasurements } from "./package-measurements.ts"
import { pluginMeasurements } from "./plugin-measurements.ts"
import { readerMeasurements } from "./reader-measurements.ts"
import { redactMeasurements } from "./redact-measurements.ts"
import { idleMemory, residentMemory } from "./resident-memory.ts"
import { ruleMeasurements } from "./rule-measurements.ts"
import { sandboxMeasurements } from "./sandbox-measurements.ts"
import { searchMeasurements } from "./search-measurements.ts"
import { shareMeasurements } from "./share-measurements.ts"
import { soakMeasurements } from "./soak/soak-measurements.ts"
import { teamMeasurements } from "./team-measurements.ts"
import { telemetryMeasurements } from "./telemetry-measurements.ts"
import { timeToHealth } from "./time-to-health.ts"
import { todoMeasurements } from "./todo-measurements.ts"
import { toolCallMeasurements } from "./tool-call-measurements.ts"
import { webfetchMeasurements } from "./webfetch-measurements.ts"

const read = { name: "read", args: { filePath: "notes.md" } }

/** In the order in which they run: memory "after" is measured last. */
export const measurements: Measurement[] = [
  {
    name: "start",
    label: "start to health",
    unit: "ms",
    aim: 350,
    opencode: "1,171 ms",
    measure: (stage) => timeToHealth(stage),
  },
  { name: "idle", label: "memory idle", unit: "MiB", aim: 120, opencode: "312 MiB", measure: memoryIdle },
  {
    name: "turn",
    label: "plain turn, over the model's time",
    unit: "ms",
    aim: 6,
    opencode: "114 / 55 ms",
    measure: plainTurn,
  },
  {
    name: "tool",
    label: "tool step (read a file)",
    unit: "ms",
    aim: 10,
    opencode: "88-136 / 40 ms",
    measure: toolStep,
  },
  {
    name: "children",
    label: "8 children × 3 calls, 200 ms",
    unit: "ms",
    aim: 1_300,
    opencode: "4.8 / 2.5 s",
    measure: children,
  },
  {
    name: "sessions",
    label: "50 sessions × 5 steps, 100 ms",
    unit: "ms",
    aim: 2_000,
    opencode: "24.9 / 6.1 s",
    measure: (stage) => sessions(stage, 50),
  },
  {
    name: "crowd",
    label: "200 sessions × 5 steps, 100 ms",
    unit: "ms",
    aim: 2_500,
    opencode: "–",
    measure: (stage) => sessions(stage, 200),
  },
  { name: "create", label: "1,000 sessions created", unit: "ms", aim: 500, opencode: "–", measure: createSessions },
  {
    name: "create-single",
    label: "100 sessions created one by one",
    unit: "ms",
    aim: 50,
    opencode: "–",
    measure: createOneByOne,
  },
  { name: "list", label: "list of 100 of 3,000 sessions", unit: "ms", aim: 3, opencode: "–", measure: listSessions },
  { name: "stop", label: "stop during a command", unit: "ms", aim: 15, opencode: "14 ms", measure: stopDuringCommand },
  { name: "chunks", label: "4,000 stream chunks", unit: "ms", aim: 250, opencode: "2.1 s", measure: chunks },
  {
    name: "load",
    label: "load 1,002 messages",
    unit: "ms",
    aim: 30,
    opencode: "72 ms",
    measure: (stage) => loadMessages(stage, 1_002),
  },
  {
    name: "page",
    label: "page of 50 of them",
    unit: "ms",
    aim: 5,
    opencode: "–",
    measure: (stage) => loadMessages(stage, 50),
  },
  {
    name: "long",
    label: "step after 1,000 messages / in a new session",
    unit: "×",
    aim: 1.1,
    opencode: "2.2 ×",
    measure: stepInLongSession,
  },
  { name: "huge", label: "step after 10,000 messages", unit: "ms", aim: 10, opencode: "–", measure: stepInHugeSession },
  ...changeMeasurements,
  ...delegationMeasurements,
  ...todoMeasurements,
  ...redactMeasurements,
  ...ruleMeasurements,
  ...editMeasurements,
  ...toolCallMeasurements,
  ...formatterMeasurements,
  ...hookMeasurements,
  ...mcpMeasurements,
  ...pluginMeasurements,
  ...packageMeasurements,
  ...diagnosticsMeasurements,
  ...webfetchMeasurements,
  ...configMeasurements,
  ...sandboxMeasurements,
  ...shareMeasurements,
  ...teamMeasurements,
  ...readerMeasurements,
  ...searchMeasurements,
  ...telemetryMeasurements,
  ...nodesMeasurements,
  ...soakMeasurements,
  ...pageMeasurements,
  ...lighthouseMeasurements,
  { name: "after", label: "memory after", unit: "MiB", aim: 300, opencode: "560-800 MiB", measure: memoryAfter },
]

async function memoryIdle({ server }: Stage): Promise<number> {
  await delay(2_000)
  return residentMemory(server.pid)
}

async function memoryAfter({ server }: Stage): Promise<number> {
  return idleMemory(server)
}

async function plainTurn(stage: Stage): Promise<number> {
  const sessionID = await stage.desk.createSession()
  await repeat(5, () => overhead(stage, sessionID))
  return median(await repeat(25, () => overhead(stage, sessionID)))
}

async function toolStep(stage: Stage): Promise<number> {
  const steps = 10
  const sessionID = await stage.desk.createSession()
  await repeat(2, () => overhead(stage, sessionID, { call: read, steps }))
  const plain = median(await repeat(7, async () => overhead(stage, await stage.desk.createSession())))
  const values = await repeat(7, async () => overhead(stage, await stage.desk.createSession(), { call: read, steps }))
  return (median(values) - plain) / steps
}

async function children({ desk }: Stage): Promise<number> {
  const child = { latency: 200, steps: 3, call: read }
  const run = async () => await desk.delegate({ latency: 200, children: 8 }, child)
  await run()
  return median(await repeat(3, run))
}

async function sessions({ desk }: Stage, count: number): Promise<number> {
  const run = async () => {
    const ids = await Promise.all(Array.from({ length: count }, () => desk.createSession()))
    const start = performance.now()
    await Promise.all(ids.map((id) => desk.turn(id, { latency: 100, steps: 4, call: read })))
    return performance.now() - start
  }
  await run()
  return median(await repeat(3, run))
}

/** By 50 callers; each waits for its session before it creates the next one. */
async function createSessions({ desk }: Stage): Promise<number> {
  const run = async () => {
    const start = performance.now()
    const caller = async () => {
      for (let created = 0; created < 1_000 / 50; created++) await desk.createSession()
    }
    await Promise.all(Array.from({ length: 50 }, caller))
    return performance.now() - start
  }
  await run()
  return median(await repeat(5, run))
}

async function createOneByOne({ desk }: Stage): Promise<number> {
  const run = async () => {
    const start = performance.now()
    for (let created = 0; created < 100; created++) await desk.createSession()
    return performance.now() - start
  }
  await repeat(5, run)
  return median(await repeat(9, run))
}

/** In a separate project, so that the number of sessions is exact. */
async function listSessions({ workplace, server }: Stage): Promise<number> {
  const desk = await openDesk(server, await workplace.addProject(`listed-${crypto.randomUUID()}`))
  const caller = async () => {
    for (let created = 0; created < 3_000 / 50; created++) await desk.createSession()
  }
  await Promise.all(Array.from({ length: 50 }, caller))
  const run = async () => {
    const start = performance.now()
    const count = await desk.listSessions(100)
    if (count < 100) throw new Error(`only ${count} of 100 sessions came`)
    return performance.now() - start
  }
  await repeat(10, run)
  const ms = median(await repeat(25, run))
  desk.close()
  return ms
}

async function stopDuringCommand({ desk }: Stage): Promise<number> {
  await repeat(2, desk.stopDuringCommand)
  return median(await repeat(11, desk.stopDuringCommand))
}

async function chunks({ desk }: Stage): Promise<number> {
  const sessionID = await desk.createSession()
  const run = async () => await desk.turn(sessionID, { chunks: 4_000 })
  await run()
  return median(await repeat(5, run))
}

async function loadMessages({ desk, filledSession }: Stage, limit: number): Promise<number> {
  const sessionID = await filledSession(501)
  const run = async () => {
    const start = performance.now()
    const count = await desk.loadMessages(sessionID, limit)
    if (count < limit) throw new Error(`only ${count} of ${limit} messages came`)
    return performance.now() - start
  }
  await run()
  return median(await repeat(15, run))
}

async function stepInLongSession(stage: Stage): Promise<number> {
  const steps = 10
  const long = await stage.filledSession(501)
  await overhead(stage, long, { call: read, steps })
  const inNew = median(
    await repeat(7, async () => overhead(stage, await stage.desk.createSession(), { call: read, steps })),
  )
  const inLong = median(await repeat(5, () => overhead(stage, long, { call: read, steps })))
  return inLong / inNew
}

async function stepInHugeSession(stage: Stage): Promise<number> {
  const steps = 10
  const huge = await stage.filledSession(5_001)
  await overhead(stage, huge, { call: read, steps })
  const plain = median(await repeat(7, () => overhead(stage, huge)))
  const values = await repeat(5, () => overhead(stage, huge, { call: read, steps }))
  return (median(values) - plain) / steps
}
