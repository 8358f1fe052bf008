import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { createInterface } from "node:readline"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { z } from "zod"
import { freePort } from "./test/free-port.ts"
import { type RecordingProvider, startRecordingProvider } from "./test/recording-provider.ts"
import { type ServiceProcess, startServiceProcess } from "./test/service-process.ts"
import { newSession, prompt } from "./test/service-sessions.ts"

const Made = z.object({ webhook: z.object({ id: z.string() }), secret: z.string() })
const Delivery = z.object({ id: z.string(), status: z.string(), event: z.string() })
const Deliveries = z.object({ items: z.array(Delivery) })

let home: string
let project: string
let provider: RecordingProvider
let closers: (() => unknown)[] = []

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), "docket-webhooks-")))
  project = path.join(home, "project")
  await mkdir(project)
  provider = await startRecordingProvider(4)
  await provider.configure(home)
  const file = path.join(home, ".config/docket/docket.json")
  const config: object = JSON.parse(await readFile(file, "utf8"))
  await writeFile(file, JSON.stringify({ ...config, webhooks: { allow: ["127.0.0.1"] } }))
})
afterEach(async () => {
  for (const close of closers.toReversed()) await close()
  closers = []
  await provider.stop()
  await rm(home, { recursive: true, force: true })
})

async function start(): Promise<ServiceProcess> {
  const service = await startServiceProcess({ home, data: path.join(home, "data"), project })
  closers.push(() => service.kill())
  return service
}

async function addWebhook(service: ServiceProcess, port: number) {
  const input = { name: "test", url: `http://127.0.0.1:${port}/hook`, events: ["session.idle"] }
  return Made.parse(await service.mutate("webhook.create", input))
}

/** Runs the program in the documentation. Returns the lines that it prints. */
async function startDocumented(port: number, secret: string): Promise<string[]> {
  const text = await readFile(new URL("../../../docs/webhooks.md", import.meta.url), "utf8")
  const [, program = ""] = /```js\n([\s\S]+?)```/.exec(text) ?? []
  const file = path.join(home, "receiver.mjs")
  await writeFile(file, program)
  const env = { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: secret }
  const child: ChildProcess = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] })
  closers.push(async () => {
    child.kill("SIGKILL")
    await once(child, "close")
  })
  const lines: string[] = []
  if (child.stdout) createInterface(child.stdout).on("line", (line) => lines.push(line))
  await vi.waitFor(
    async () => expect((await fetch(`http://127.0.0.1:${port}/`, { method: "POST" })).status).toBe(401),
    {
      timeout: 20_000,
    },
  )
  return lines
}

it("the documented receiver accepts only genuine requests", async () => {
  const service = await start()
  const port = await freePort()
  const { webhook, secret } = await addWebhook(service, port)
  const lines = await startDocumented(port, secret)
  const forged = await fetch(`http://127.0.0.1:${port}/hook`, {
    method: "POST",
    headers: { "webhook-id": "whd_1", "webhook-timestamp": String(Math.floor(Date.now() / 1_000)) },
    body: '{"type":"forged"}',
  })
  expect(forged.status).toBe(401)
  await service.mutate("webhook.test", { webhookID: webhook.id })
  await prompt(service, await newSession(service, project), "Say hello")
  await vi.waitFor(() => expect(lines).toEqual(["webhook.test ", "session.idle Faults"]), { timeout: 20_000 })
  await service.mutate("webhook.rotate", { webhookID: webhook.id })
  await service.mutate("webhook.test", { webhookID: webhook.id })
  await vi.waitFor(() => expect(lines).toHaveLength(3), { timeout: 20_000 })
})

/** A receiver that delays its answers until the test says so, and records the turns and the webhook ids. */
async function startHolding() {
  const told = new Map<string, Set<string>>()
  const arrived = Promise.withResolvers<void>()
  let isHolding = true
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ""
    for await (const chunk of request) body += chunk
    const turn = String(JSON.parse(body).data.turn.id)
    told.set(turn, (told.get(turn) ?? new Set()).add(String(request.headers["webhook-id"])))
    arrived.resolve()
    if (!isHolding) response.writeHead(204).end()
  }
  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the receiver has no port")
  return {
    told,
    port: address.port,
    arrived: arrived.promise,
    answer() {
      isHolding = false
    },
  }
}

it("a killed service loses no webhook notification", async () => {
  const receiver = await startHolding()
  const first = await start()
  await addWebhook(first, receiver.port)
  const session = await newSession(first, project)
  const turns = [(await prompt(first, session, "one")).id]
  // The first delivery has no answer yet.
  await receiver.arrived
  await first.kill()
  const second = await start()
  // The kill follows at once, perhaps before the second delivery is sent.
  turns.push((await prompt(second, session, "two")).id)
  await second.kill()
  const third = await start()
  receiver.answer()
  turns.push((await prompt(third, session, "three")).id)
  await vi.waitFor(() => expect([...receiver.told.keys()].sort()).toEqual(turns.toSorted()), { timeout: 40_000 })
  for (const ids of receiver.told.values()) expect(ids.size).toBe(1)
  await vi.waitFor(
    async () => {
      const { items } = Deliveries.parse(await third.query("webhook.deliveries"))
      expect(items.map(({ status }) => status)).toEqual(["delivered", "delivered", "delivered"])
    },
    { timeout: 40_000 },
  )
})

it("the webhook secret is kept in an owner-only file, never in rows", async () => {
  const service = await start()
  const { webhook, secret } = await addWebhook(service, await freePort())
  expect(JSON.stringify(await service.query("webhook.list"))).not.toContain(secret)
  const file = path.join(home, "data/webhook-secrets", `${webhook.id}.json`)
  expect(await readFile(file, "utf8")).toContain(secret)
  await service.kill()
  for (const name of ["docket.db", "docket.db-wal"]) {
    const stored = await readFile(path.join(home, "data", name)).catch(() => Buffer.alloc(0))
    expect(stored.includes(secret.slice("whsec_".length))).toBe(false)
  }
})
