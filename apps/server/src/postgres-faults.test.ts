import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { startPostgres } from "@docket/db/start-postgres"
import { afterAll, afterEach, beforeEach, expect, it, onTestFinished } from "vitest"
import { z } from "zod"
import { callUsage } from "./test/model-server.ts"
import { type Reading, readFeed } from "./test/read-feed.ts"
import { overlaps, type RecordingProvider, startRecordingProvider, toolSteps } from "./test/recording-provider.ts"
import { type ServiceProcess, startServiceProcess } from "./test/service-process.ts"
import { isIdle, newSession, prompt, send, transcript } from "./test/service-sessions.ts"

const postgres = await startPostgres({ own: true })
const reason = typeof postgres === "string" ? postgres : null
if (reason !== null) console.warn(`PostgreSQL tests are skipped: ${reason}`)
afterAll(async () => {
  if (typeof postgres !== "string") await postgres.stop()
})

let home: string
let project: string
let provider: RecordingProvider
const services = new Set<ServiceProcess>()

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), "docket-postgres-faults-")))
  project = path.join(home, "project")
  provider = await startRecordingProvider(700)
  await mkdir(project)
  await provider.configure(home)
})
afterEach(async () => {
  for (const service of services) await service.kill()
  services.clear()
  await provider.stop()
  await rm(home, { recursive: true, force: true })
})

/** A service on the database, with its own data directory. */
async function start(name: string): Promise<ServiceProcess> {
  if (typeof postgres === "string") throw new Error(postgres)
  const env = { DATABASE_URL: postgres.url }
  const service = await startServiceProcess({ home, data: path.join(home, name), project, env })
  services.add(service)
  return service
}

const sessionsAtOnce = 6

/**
 * Starts sessions that work, each with a queued second prompt. Resolves when all first prompts have reached the model.
 */
async function load(service: ServiceProcess): Promise<string[]> {
  const ids = await Promise.all(Array.from({ length: sessionsAtOnce }, () => newSession(service, project)))
  for (const id of ids) {
    await send(service, id, `first of ${id}`)
    await send(service, id, `second of ${id}`)
  }
  const asked = () => new Set(provider.calls.map(({ session }) => session)).size
  await expect.poll(asked).toBeGreaterThanOrEqual(sessionsAtOnce)
  return ids
}

const allIdle = async (service: ServiceProcess, ids: string[]) =>
  (await Promise.all(ids.map((id) => isIdle(service, id).catch(() => false)))).every((idle) => idle)

/** Checks that both prompts were answered, in two steps with a call and one without, and that nothing is duplicated. */
async function expectWhole(service: ServiceProcess, id: string): Promise<void> {
  const { prompts, errors, open, calls, texts, tokens } = await transcript(service, id)
  expect(prompts).toEqual([`first of ${id}`, `second of ${id}`])
  expect([errors, open]).toEqual([[], 0])
  expect(calls.map(({ status }) => status)).toEqual(Array(2 * toolSteps).fill("completed"))
  const steps = 2 * (toolSteps + 1)
  expect(texts).toEqual(Array(steps).fill("part 0 part 1 part 2 part 3 "))
  expect(tokens).toMatchObject({
    input: steps * callUsage.prompt_tokens,
    output: steps * callUsage.completion_tokens,
  })
}

/** Checks that a reader got each change once and in order, and the end of each stored call. */
async function expectToldOnce(service: ServiceProcess, { id, items }: Reading & { id: string }): Promise<void> {
  const { calls } = await transcript(service, id)
  const ended = () => items.flatMap(({ item }) => endedCall(item) ?? [])
  await expect.poll(() => ended().length).toBeGreaterThanOrEqual(calls.length)
  expect(ended()).toHaveLength(calls.length)
  expect(new Set(ended()).size).toBe(calls.length)
  const seqs = items.flatMap(({ item }) => (item.rootID === id ? (item.seq ?? []) : []))
  expect(items.map(({ item }) => item.type)).not.toContain("resync")
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
  // Items without a sequence number share the id of the previous number.
  const numbered = items.filter(({ item }) => item.seq !== null)
  expect(new Set(numbered.map((read) => read.id)).size).toBe(numbered.length)
}

const EndedCall = z.object({
  properties: z.object({
    part: z.object({ id: z.string(), type: z.literal("tool"), state: z.object({ status: z.literal("completed") }) }),
  }),
})

/** The id of a call that an item reports as ended. */
function endedCall(item: unknown): string | null {
  return EndedCall.safeParse(item).data?.properties.part.id ?? null
}

it.skipIf(reason !== null).for(["fast", "immediate"] as const)(
  "all turns survive a PostgreSQL restart (%s) under load, stored once",
  async (mode, { skip }) => {
    if (typeof postgres === "string") return
    if (postgres.restart === null) return skip("this PostgreSQL server is not ours to restart")
    await provider.stop()
    // At the restart, half of the sessions run a command; the others stream an answer.
    let prompted = 0
    const commanded = new Set<string>()
    provider = await startRecordingProvider(700, (text, step) => {
      const runsCommand = step === 0 && text.startsWith("first") && prompted++ % 2 === 0
      if (!runsCommand) return { name: "glob", args: { pattern: `*.${step}` } }
      commanded.add(text)
      const command = "echo begun >> log; until [ -e go ]; do sleep 0.05; done; echo ended >> log"
      return { name: "bash", args: { command, description: "Wait" } }
    })
    await provider.configure(home)
    const service = await start("data")
    const ids = await load(service)
    const stopReading = new AbortController()
    const reading = ids.map((id) => ({ id, ...readFeed(service, id, stopReading.signal) }))
    const timesLogged = async (word: string) =>
      (await readFile(path.join(project, "log"), "utf8").catch(() => "")).split(word).length - 1
    await expect.poll(() => timesLogged("begun"), { timeout: 20_000 }).toBe(sessionsAtOnce / 2)
    await postgres.restart(mode)
    await writeFile(path.join(project, "go"), "")
    await expect.poll(() => allIdle(service, ids), { interval: 200, timeout: 60_000 }).toBe(true)
    for (const id of ids) await expectWhole(service, id)
    const counts = [commanded.size, await timesLogged("begun"), await timesLogged("ended")]
    expect(counts).toEqual(Array(3).fill(sessionsAtOnce / 2))
    const turns = await Promise.all(ids.map((id) => prompt(service, id, `third of ${id}`)))
    expect(turns.map((turn) => turn.status)).toEqual(ids.map(() => "completed"))
    expect(overlaps(provider.calls)).toEqual([])
    for (const read of reading) await expectToldOnce(service, read)
    stopReading.abort()
    await Promise.all(reading.map(({ ended }) => ended))
    expect(service.log()).not.toContain("could not be stored")
    expect(service.log()).toContain("the database is back; what waited goes on")
  },
)

it.skipIf(reason !== null)(
  "during a PostgreSQL outage the service reports it, starts nothing and recovers",
  async ({ skip }) => {
    if (typeof postgres === "string") return
    if (postgres.halt === null) return skip("this PostgreSQL server is not ours to stop")
    const service = await start("data")
    const ids = await load(service)
    const [stopped = "", ...others] = ids
    let isBack = false
    const startServer = await postgres.halt("fast")
    const startAgain = async () => {
      if (!isBack) await startServer()
      isBack = true
    }
    onTestFinished(startAgain)
    const health = async () => (await fetch(`${service.url}/api/health`)).status
    await expect.poll(health).toBe(503)
    const told = await (await fetch(`${service.url}/api/health`)).json()
    expect(told).toMatchObject({ status: "database_away", message: expect.stringContaining("PostgreSQL") })
    const refused = send(service, others[0] ?? "", "never stored")
    await expect(refused).rejects.toThrow(/"docketCode":"store_unavailable"/)
    const page = await fetch(service.url, { headers: { ...service.headers, accept: "text/html" } })
    expect([page.status, await page.text()]).toEqual([503, expect.stringContaining("The database is away")])
    const v1 = await fetch(`${service.url}/v1/todos`, { headers: service.headers })
    expect([v1.status, await v1.json()]).toMatchObject([503, { error: expect.stringMatching(/try again/i) }])
    await expect(service.mutate("session.abort", { sessionID: stopped })).rejects.toThrow("The work was stopped.")
    const calls = () => provider.calls.filter(({ session }) => session.includes(stopped))
    await expect.poll(() => calls().every(({ ended }) => ended !== null)).toBe(true)
    const made = calls().length
    await startAgain()
    await expect.poll(() => allIdle(service, ids), { interval: 200, timeout: 60_000 }).toBe(true)
    for (const id of others) await expectWhole(service, id)
    // The stopped session stays stopped. Its only error is the stop; between two answers no message can record it.
    expect(["Stopped."]).toEqual(expect.arrayContaining((await transcript(service, stopped)).errors))
    expect(calls()).toHaveLength(made)
    expect(await health()).toBe(200)
    expect((await prompt(service, stopped, "again")).status).toBe("completed")
  },
)

it.skipIf(reason !== null)("a service exits at once when another takes its database claim", async () => {
  if (typeof postgres === "string") return
  const first = await start("first")
  const ids = await load(first)
  // The second service waits for the claim and gets it before the first is back.
  const waiting = start("second")
  await expect.poll(() => claimants()).toBe(2)
  await postgres.execute(
    `SELECT pg_terminate_backend(l.pid) FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted`,
  )
  const outcome = await Promise.race([first.exit, waiting.then(() => first.exit)])
  expect(outcome).toBe(1)
  expect(first.log()).toContain("another Docket service took the database")
  const second = await waiting
  await expect.poll(() => allIdle(second, ids), { interval: 200 }).toBe(true)
  expect(overlaps(provider.calls)).toEqual([])
  for (const id of ids) {
    expect((await transcript(second, id)).prompts).toEqual([`first of ${id}`, `second of ${id}`])
  }
})

it.skipIf(reason !== null)("the service continues after regaining a claim that nobody else took", async () => {
  if (typeof postgres === "string") return
  const service = await start("data")
  const ids = await load(service)
  await postgres.execute(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'docket owner'`,
  )
  await expect.poll(() => allIdle(service, ids), { interval: 200, timeout: 60_000 }).toBe(true)
  for (const id of ids) await expectWhole(service, id)
  for (const id of ids) expect((await prompt(service, id, `third of ${id}`)).status).toBe("completed")
  expect(overlaps(provider.calls)).toEqual([])
})

/** Number of connections that hold the claim or wait for it. */
async function claimants(): Promise<number> {
  if (typeof postgres === "string") return 0
  const rows = await postgres.execute(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'docket owner'`)
  return rows.length
}
