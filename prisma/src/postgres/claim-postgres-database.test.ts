import { Client } from "pg"
import { afterAll, expect, it } from "vitest"
import { startPostgres } from "../../test/start-postgres.ts"
import { claimPostgresDatabase } from "../index.ts"

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

  it("a refused claim names whether a service or a command holds it", async () => {
    for (const [holder, words] of [
      ["command", "another docket command works on this PostgreSQL database. Wait until it has ended, or stop it"],
      ["service", "another Docket service uses this PostgreSQL database. Stop it"],
    ] as const) {
      const first = await claimPostgresDatabase(server.url, { as: holder })
      for (const as of ["command", "service"] as const)
        await expect(claimPostgresDatabase(server.url, { as, waitMs: 0 })).rejects.toMatchObject({
          code: "store_unavailable",
          message: expect.stringContaining(words),
        })
      await first.release()
    }
  })

  const endOwner = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'docket owner'`

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
    await expect.poll(owners).toBe(2)
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

  const owners = async () =>
    (await server.execute(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'docket owner'`)).length

  it("a claim says what to do when the server does not answer", async () => {
    const url = new URL(server.url)
    url.port = "1"
    await expect(claimPostgresDatabase(url.href)).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("Check that the server runs"),
    })
  })
}
