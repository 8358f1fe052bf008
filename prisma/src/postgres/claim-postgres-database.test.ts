import { Client } from "pg"
import { afterAll, expect, it } from "vitest"
import { startPostgres } from "../../test/start-postgres.ts"
import { claimPostgresDatabase, type DatabaseClaim } from "../index.ts"

const server = await startPostgres()

if (typeof server === "string") {
  console.warn(`PostgreSQL tests are skipped: ${server}`)
  it.skip(`postgres (${server})`, () => {})
} else {
  afterAll(server.stop)

  it("a database belongs to one service, then to the next after release", async () => {
    const first = await claimPostgresDatabase(server.url)
    await expect(claimPostgresDatabase(server.url, { waitMs: 0 })).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("another Docket service"),
    })
    const second = claimPostgresDatabase(server.url)
    await first.release()
    await (await second).release()
  })

  const command = "another docket command works on this PostgreSQL database. Wait until it has ended, or stop it"
  const service = "another Docket service uses this PostgreSQL database. Stop it"
  const nodes = "Docket nodes (web, worker) use this PostgreSQL database. Stop all of them"

  it.each([
    { as: "service", holder: "service", words: service },
    { as: "service", holder: "command", words: command },
    { as: "service", holder: "node", words: nodes },
    { as: "command", holder: "service", words: service },
    { as: "command", holder: "command", words: command },
    { as: "command", holder: "node", words: nodes },
    { as: "node", holder: "service", words: "a Docket service with --role all uses this PostgreSQL database. Stop it" },
    { as: "node", holder: "command", words: command },
  ] as const)("a claim as $as is refused while a $holder holds it", async ({ as, holder, words }) => {
    const first = await claimPostgresDatabase(server.url, { as: holder })
    await expect(claimPostgresDatabase(server.url, { as, waitMs: 0 })).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining(words),
    })
    expect(first.ownsDatabase()).toBe(true)
    await first.release()
    await (await claimPostgresDatabase(server.url, { as })).release()
  })

  it("nodes share a database until the last one ends", async () => {
    const begun = await Promise.all([1, 2, 3].map(() => claimPostgresDatabase(server.url, { as: "node" })))
    const [last, ...others] = begun
    for (const claim of others) await claim.release()
    expect(begun.map((claim) => claim.ownsDatabase())).toEqual([true, false, false])
    await expect(claimPostgresDatabase(server.url, { waitMs: 0 })).rejects.toThrow(nodes)
    const service = claimPostgresDatabase(server.url)
    await last?.release()
    await (await service).release()
  })

  const endOf = (name: string) =>
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'docket ${name}'`
  const endOwner = endOf("owner")

  it("nodes that lose their connections regain the claim together", async () => {
    const lost = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const taken: Error[] = []
    const claims: DatabaseClaim[] = []
    for (const { resolve } of lost)
      claims.push(
        await claimPostgresDatabase(server.url, { as: "node", onLost: resolve, onTaken: (e) => taken.push(e) }),
      )
    await server.execute(endOf("node"))
    await Promise.all(lost.map(({ promise }) => promise))
    // One that comes meanwhile has the same number.
    const third = await claimPostgresDatabase(server.url, { as: "node" })
    await expect.poll(() => claims.every((claim) => claim.ownsDatabase()) || taken.length > 0).toBe(true)
    expect(taken).toEqual([])
    for (const claim of [...claims, third]) await claim.release()
  })

  it.each(["service", "command"] as const)("a node ends when a %s took the database, even briefly", async (as) => {
    const held = Promise.withResolvers<Error>()
    const gone = Promise.withResolvers<Error>()
    const first = await claimPostgresDatabase(server.url, { as: "node", waitMs: 0, onTaken: held.resolve })
    const owner = claimPostgresDatabase(server.url, { as })
    await expect.poll(connections).toBe(2)
    await server.execute(endOf("node"))
    expect((await held.promise).message).toContain("another Docket service took the database")
    await (await owner).release()
    const second = await claimPostgresDatabase(server.url, { as: "node", waitMs: 0, onTaken: gone.resolve })
    const next = claimPostgresDatabase(server.url, { as })
    await expect.poll(connections).toBe(2)
    // It comes and goes before the node can look.
    const briefly = next.then((claim) => claim.release())
    await server.execute(endOf("node"))
    await Promise.all([briefly, gone.promise])
    expect([first, second].map((claim) => claim.ownsDatabase())).toEqual([false, false])
    for (const claim of [first, second]) await claim.release()
  })

  it("a service ends when nodes took the database, even briefly", async () => {
    const taken = Promise.withResolvers<Error>()
    const claim = await claimPostgresDatabase(server.url, { waitMs: 0, onTaken: taken.resolve })
    const node = claimPostgresDatabase(server.url, { as: "node" })
    await expect.poll(connections).toBe(2)
    await server.execute(endOwner)
    await (await node).release()
    await taken.promise
    expect(claim.ownsDatabase()).toBe(false)
    await claim.release()
  })

  it("nodes begin on a database that an earlier version counted", async () => {
    await server.execute(`DROP TABLE "_docket_claims"`)
    await server.execute(`CREATE TABLE "_docket_claims" ("number" INTEGER PRIMARY KEY)`)
    await server.execute(`INSERT INTO "_docket_claims" VALUES (6)`)
    const claims = await Promise.all([1, 2].map(() => claimPostgresDatabase(server.url, { as: "node" })))
    expect(await server.execute(`SELECT * FROM "_docket_claims"`)).toEqual([{ number: 7, shared: true }])
    for (const claim of claims) await claim.release()
  })

  it("a claim is lost with its connection and regained if still free", async () => {
    const lost = Promise.withResolvers<void>()
    const claim = await claimPostgresDatabase(server.url, { onLost: lost.resolve })
    expect(claim.ownsDatabase()).toBe(true)
    await server.execute(endOwner)
    await lost.promise
    expect(claim.ownsDatabase()).toBe(false)
    await expect.poll(claim.ownsDatabase).toBe(true)
    await claim.release()
    expect(claim.ownsDatabase()).toBe(false)
  })

  it("a claim is not regained after another service held it, even briefly", async () => {
    const taken = Promise.withResolvers<Error>()
    const options = { waitMs: 0, onTaken: taken.resolve }
    const claim = await claimPostgresDatabase(server.url, options)
    const next = claimPostgresDatabase(server.url)
    await expect.poll(connections).toBe(2)
    await server.execute(`${endOwner} AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)`)
    await (await next).release()
    expect((await taken.promise).message).toContain("another Docket service took the database")
    expect(claim.ownsDatabase()).toBe(false)
    await claim.release()
  })

  it("a lost database claim is regained though the first query fails", async () => {
    const lost = Promise.withResolvers<void>()
    const taken: Error[] = []
    const options = { waitMs: 0, onLost: lost.resolve, onTaken: (error: Error) => void taken.push(error) }
    const claim = await claimPostgresDatabase(server.url, options)
    const blocking = new Client({ connectionString: server.url })
    await blocking.connect()
    await blocking.query(`BEGIN; LOCK TABLE "_docket_claims"`)
    await server.execute(endOwner)
    await lost.promise
    const cancel = `SELECT pg_cancel_backend(pid) FROM pg_locks WHERE NOT granted AND locktype = 'relation'`
    await expect.poll(async () => (await server.execute(cancel)).length).toBe(1)
    await blocking.end()
    await expect.poll(() => claim.ownsDatabase() || taken.length > 0).toBe(true)
    expect(taken).toEqual([])
    await claim.release()
  })

  const connections = async () =>
    (
      await server.execute(
        `SELECT 1 FROM pg_stat_activity WHERE application_name IN ('docket owner', 'docket command', 'docket node')`,
      )
    ).length

  it("a claim says what to do when the server does not answer", async () => {
    const url = new URL(server.url)
    url.port = "1"
    await expect(claimPostgresDatabase(url.href)).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("Check that the server runs"),
    })
  })
}
