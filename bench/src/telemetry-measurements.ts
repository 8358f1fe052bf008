import { once } from "node:events"
import { createServer } from "node:http"
import { type Desk, openDesk } from "./desk.ts"
import type { Measurement, Stage } from "./measurement.ts"
import { median } from "./median.ts"
import { createWorkplace } from "./workplace.ts"

const warmUps = 10
const rounds = 60

/** What traces, metrics and the log cost a turn, while a collector takes them. */
export const telemetryMeasurements: Measurement[] = [
  {
    name: "telemetry",
    label: "turn that reads a file, with telemetry / without",
    unit: "×",
    aim: 1.05,
    opencode: "–",
    measure: turnWithTelemetry,
  },
]

/** Both services run the whole time and take turns, so that what else the machine does meets both. */
async function turnWithTelemetry(stage: Stage): Promise<number> {
  const collector = await openCollector()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: "1000" }
  const told = await openService(stage, env)
  const silent = await openService(stage, {})
  try {
    const times = { told: [] as number[], silent: [] as number[] }
    for (let round = 0; round < warmUps + rounds; round++) {
      const [withIt, without] = [await told.turn(), await silent.turn()]
      if (round < warmUps) continue
      times.told.push(withIt)
      times.silent.push(without)
    }
    if (collector.received() === 0) throw new Error("no traces arrived at the collector")
    return median(times.told) / median(times.silent)
  } finally {
    await told.close()
    await silent.close()
    collector.close()
  }
}

async function openService(stage: Stage, env: Record<string, string>) {
  const workplace = await createWorkplace(stage)
  const server = await workplace.startServer({ env })
  const desk: Desk = await openDesk(server, workplace.project)
  const sessionID = await desk.createSession()
  const plan = { latency: 20, steps: 1, call: { name: "read", args: { filePath: "notes.md" } } }
  return {
    turn: () => desk.turn(sessionID, plan),
    async close() {
      desk.close()
      await server.stop()
      await workplace.remove()
    },
  }
}

/** Takes everything and keeps nothing. */
async function openCollector() {
  let traces = 0
  const server = createServer((request, response) => {
    if (request.url === "/v1/traces") traces += 1
    request.resume().once("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the collector has no port")
  return {
    url: `http://127.0.0.1:${address.port}`,
    received: () => traces,
    close: () => void server.close(),
  }
}
