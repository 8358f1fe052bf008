import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { startPostgres } from "@docket/db/start-postgres"
import { afterAll, afterEach, beforeEach, expect, it } from "vitest"
import { overlaps, type RecordingProvider, startRecordingProvider } from "./test/recording-provider.ts"
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

/** A service on the database with a data directory of its own. */
async function start(name: string): Promise<ServiceProcess> {
  if (typeof postgres === "string") throw new Error(postgres)
  const env = { DATABASE_URL: postgres.url }
  const service = await startServiceProcess({ home, data: path.join(home, name), project, env })
  services.add(service)
  return service
}

const sessionsAtOnce = 6

/** Sessions that work, each with a prompt behind the first one. Resolves when all first ones have asked the model. */
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

it.skipIf(reason !== null).for(["fast", "immediate"] as const)(
  "a restart of PostgreSQL (%s) under load hangs no session: what ran says so, what waited runs in order",
  async (mode, { skip }) => {
    if (typeof postgres === "string") return
    if (postgres.restart === null) return skip("this PostgreSQL server is not ours to restart")
    const service = await start("data")
    const ids = await load(service)
    await postgres.restart(mode)
    await expect.poll(() => allIdle(service, ids), { interval: 200 }).toBe(true)
    let interrupted = 0
    for (const id of ids) {
      const { prompts, errors, open } = await transcript(service, id)
      expect(prompts).toEqual([`first of ${id}`, `second of ${id}`])
      expect(errors).toEqual(errors.slice(0, 1).map(() => expect.stringMatching(/database/)))
      expect(open).toBe(0)
      interrupted += errors.length
    }
    expect(interrupted).toBeGreaterThan(0)
    const turns = await Promise.all(ids.map((id) => prompt(service, id, `third of ${id}`)))
    expect(turns.map((turn) => turn.status)).toEqual(ids.map(() => "completed"))
    expect(overlaps(provider.calls)).toEqual([])
    // Once for the outage, not for each session or attempt.
    expect(service.log().match(/could not be stored/g)?.length ?? 0).toBeLessThanOrEqual(2)
  },
)

it.skipIf(reason !== null)(
  "a service whose claim was taken by another stops at once and ends: no session's model calls ever overlap",
  async () => {
    if (typeof postgres === "string") return
    const first = await start("first")
    const ids = await load(first)
    // The second waits for the claim and has it before the first is back.
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
  },
)

it.skipIf(reason !== null)("a claim that nobody else took is had again: the service goes on by itself", async () => {
  if (typeof postgres === "string") return
  const service = await start("data")
  const ids = await load(service)
  await postgres.execute(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'docket owner'`,
  )
  await expect.poll(() => allIdle(service, ids), { interval: 200 }).toBe(true)
  for (const id of ids) expect((await prompt(service, id, `third of ${id}`)).status).toBe("completed")
  expect(overlaps(provider.calls)).toEqual([])
})

/** How many connections hold the claim or wait for it. */
async function claimants(): Promise<number> {
  if (typeof postgres === "string") return 0
  const rows = await postgres.execute(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'docket owner'`)
  return rows.length
}
