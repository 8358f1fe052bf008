import { fork } from "node:child_process"
import { once } from "node:events"
import { turnEngineContract } from "@docket/core/store/contract"
import type { TurnEngine } from "@docket/core/turn-engine"
import { startPostgres, type TestPostgres } from "@docket/db/start-postgres"
import { Client } from "pg"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { type NodeLinksDeps, openNodeLinks } from "./open-links.ts"

const tree = (rootID: string) => ({ tenantID: "local", rootID, place: "host:one" })

async function openEngine(url: string, errors: unknown[], options: Partial<NodeLinksDeps> = {}): Promise<TurnEngine> {
  const onError = (error: unknown) => void errors.push(error)
  const { engine, close } = await openNodeLinks({ url, now: () => performance.now(), onError, ...options })
  return { ...engine, close }
}

const probe = await startPostgres()
if (typeof probe === "string") console.warn(`PostgreSQL tests are skipped: ${probe}`)
else await probe.stop()

describe.skipIf(typeof probe === "string")("pg-boss", () => {
  let database: TestPostgres
  beforeAll(async () => {
    const started = await startPostgres()
    if (typeof started === "string") throw new Error(started)
    database = started
  })
  afterAll(() => database.stop())

  describe("as an engine of turns", () => {
    turnEngineContract(async (count) => {
      const empty = await startPostgres()
      if (typeof empty === "string") throw new Error(empty)
      onTestFinished(() => empty.stop())
      const engines: TurnEngine[] = []
      for (let node = 0; node < count; node++) engines.push(await openEngine(empty.url, []))
      return engines
    })
  })

  test("another node gets the tree of a node that was killed", async () => {
    const engine = await openEngine(database.url, [])
    onTestFinished(() => engine.close())
    const child = fork(new URL("test/killed-node.ts", import.meta.url), [database.url])
    onTestFinished(() => void child.kill("SIGKILL"))
    const said: unknown[] = []
    child.on("message", (text) => said.push(text))
    await expect.poll(() => said, { timeout: 20_000 }).toContain("serves")
    await engine.enqueue([{ ...tree("left"), place: "host:two" }])
    await expect.poll(() => said).toContain("left")
    const taken = Promise.withResolvers<boolean>()
    const work = async ({ wasHeld }: { wasHeld: boolean }) => taken.resolve(wasHeld)
    await engine.serve({ places: ["host:two"], capacity: 1, work })
    child.kill("SIGKILL")
    expect(await taken.promise).toBe(true)
  })

  test("work stops at a node that has lost the tree", async () => {
    const engine = await openEngine(database.url, [])
    onTestFinished(() => engine.close())
    const begun = Promise.withResolvers<AbortSignal>()
    const lost = Promise.withResolvers<void>()
    let visits = 0
    await engine.enqueue([{ ...tree("lost"), place: "host:three" }])
    await engine.serve({
      ...{ places: ["host:three"], capacity: 1 },
      async work({ signal }) {
        visits += 1
        if (visits > 1) return lost.resolve()
        begun.resolve(signal)
        await once(signal, "abort")
        throw signal.reason
      },
    })
    const signal = await begun.promise
    await database.execute(
      `UPDATE docket_jobs.job SET state = 'retry', retry_count = retry_count + 1 WHERE name = 'turn/host/three'`,
    )
    await lost.promise
    expect(signal.aborted).toBe(true)
  })

  test("a tree that always fails is left until its next prompt", async () => {
    const errors: unknown[] = []
    const engine = await openEngine(database.url, errors, { failures: { most: 2, pauseMs: 0 } })
    onTestFinished(() => engine.close())
    const seen: string[] = []
    const fine = Promise.withResolvers<void>()
    const poison = { ...tree("poison"), place: "host:four" }
    await engine.enqueue([poison])
    await engine.serve({
      ...{ places: ["host:four"], capacity: 1 },
      async work({ rootID }) {
        seen.push(rootID)
        if (seen.length > 3) return fine.resolve()
        throw new Error("it cannot be read")
      },
    })
    await expect.poll(() => errors).toHaveLength(3)
    await engine.enqueue([poison])
    await fine.promise
    expect(seen).toEqual(["poison", "poison", "poison", "poison"])
  })

  test("a tree is queued with the transaction that it comes in", async () => {
    const engine = await openEngine(database.url, [])
    onTestFinished(() => engine.close())
    const client = new Client(database.url)
    await client.connect()
    onTestFinished(() => client.end())
    const execute = (sql: string, values?: readonly unknown[]) => client.query(sql, values && [...values])
    // Makes the queue.
    await engine.enqueue([tree("first")])
    const seen: string[] = []
    const both = Promise.withResolvers<void>()
    await engine.serve({
      ...{ places: ["host:one"], capacity: 10 },
      async work({ rootID }) {
        seen.push(rootID)
        if (rootID === "kept") both.resolve()
      },
    })
    await client.query("BEGIN")
    await engine.enqueue([tree("dropped")], execute)
    await client.query("ROLLBACK")
    await client.query("BEGIN")
    await engine.enqueue([tree("kept")], execute)
    await client.query("COMMIT")
    await both.promise
    expect(seen).toEqual(["first", "kept"])
  })
})
