import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { type OtlpReceiver, startOtlpReceiver } from "@docket/config/otlp-receiver"
import { expect, onTestFinished, test } from "vitest"
import { freePort } from "../test/free-port.ts"
import { startServiceProcess } from "../test/service-process.ts"
import { metric } from "./names.ts"

/** A service that is set up with these variables and has the rehearsal as its model. */
async function startWatched(env: Record<string, string>) {
  const home = await mkdtemp(path.join(tmpdir(), "docket-watched-"))
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 10 }))
  const project = path.join(home, "project")
  await mkdir(project)
  await writeFile(path.join(project, "README.md"), "# Shop\n")
  const service = await startServiceProcess({ home, data: path.join(home, "data"), project, env })
  onTestFinished(service.kill)
  return {
    ...service,
    /** Runs a turn to its end. */
    async turn() {
      const [opened] = (await service.query("project.list")) as { id: string }[]
      const session = (await service.mutate("session.create", { projectID: opened?.id })) as { id: string }
      const parts = [{ type: "text", text: "Look around" }]
      return await service.mutate("session.prompt", { sessionID: session.id, parts })
    },
  }
}

async function receiverOf(options?: { hangs: boolean }): Promise<OtlpReceiver> {
  const receiver = await startOtlpReceiver(options)
  onTestFinished(receiver.stop)
  return receiver
}

test("a receiver that hangs holds up neither turns nor the stop", async () => {
  const receiver = await receiverOf({ hangs: true })
  const service = await startWatched({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: "1" })
  await service.turn()
  await expect.poll(() => receiver.spans.length).toBeGreaterThan(0)
  await service.turn()
  expect(await service.end()).toBe(0)
})

test("the whole log of a service is sent", async () => {
  const receiver = await receiverOf()
  const service = await startWatched({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
  expect(await service.end()).toBe(0)
  const texts = receiver.logs.map(({ text }) => text)
  expect(texts).toContainEqual(expect.stringMatching(/^data directory /))
  expect(texts).toContain("stopping")
})

test("a receiver that is away is named once in the log", async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  const service = await startWatched({
    ...{
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_METRICS_EXPORTER: "none",
      OTEL_LOGS_EXPORTER: "none",
      OTEL_BSP_SCHEDULE_DELAY: "1",
    },
  })
  await service.turn()
  const words = `${url}/v1/traces does not take what is sent`
  // It is tried again for some seconds.
  await expect.poll(service.log, { timeout: 60_000 }).toContain(words)
  await service.turn()
  expect(await service.end()).toBe(0)
  expect(service.log().split(words)).toHaveLength(2)
})

test("what is left is sent at the stop, with headers", async () => {
  const receiver = await receiverOf()
  const service = await startWatched({
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_HEADERS: "x-key=abc" },
    ...{ OTEL_BSP_SCHEDULE_DELAY: "600000", OTEL_SERVICE_NAME: "desk" },
  })
  await service.turn()
  expect(receiver.spans).toEqual([])
  expect(await service.end()).toBe(0)
  expect(receiver.spans.map(({ name }) => name)).toContain("invoke_agent build")
  expect(receiver.spans[0]?.resource).toMatchObject({ "service.name": "desk", "docket.node.role": "all" })
  expect(receiver.headers.map((headers) => headers["x-key"])).toEqual(receiver.headers.map(() => "abc"))
  const measured = Object.values(metric).map(({ name }) => name)
  expect(measured.filter((name) => !receiver.metrics.has(name))).toEqual([metric.mcpDuration.name])
})

test("Prometheus reads metrics by role, with the token where one is set", async () => {
  const port = await freePort()
  const token = "a-token-for-prometheus"
  const service = await startWatched({ DOCKET_METRICS: `127.0.0.1:${port}`, DOCKET_METRICS_TOKEN: token })
  await service.turn()
  const at = (place: string, headers = {}) => fetch(`http://127.0.0.1:${port}${place}`, { headers })
  expect((await at("/metrics")).status).toBe(401)
  expect((await at("/metrics", { authorization: "Bearer wrong" })).status).toBe(401)
  expect((await at("/")).status).toBe(404)
  const text = await (await at("/metrics", { authorization: `Bearer ${token}` })).text()
  // The rehearsal delegates, too.
  expect(text).toMatch(/^docket_turns_total\{[^}]*docket_turn_status="completed"[^}]*docket_node_role="all"[^}]*\} 1$/m)
  expect(text).toMatch(/^docket_queue_wait_count\{[^}]*\} \d+$/m)
  expect(text).not.toMatch(/ses_|trn_|prj_/)
})

test("a port that is taken leaves the service without metrics", async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  const service = await startWatched({ DOCKET_METRICS: `127.0.0.1:${port}` })
  await service.turn()
  await expect.poll(service.log).toContain(`metrics cannot be read at 127.0.0.1:${port}`)
})
