import { afterAll, expect, it, onTestFinished } from "vitest"
import { startPostgres } from "../../test/start-postgres.ts"
import { openCommitMarks } from "./commit-marks.ts"
import { openPostgres } from "./open-postgres.ts"

const server = await startPostgres()

if (typeof server === "string") {
  console.warn(`PostgreSQL tests are skipped: ${server}`)
  it.skip(`postgres (${server})`, () => {})
} else {
  afterAll(server.stop)

  function openPool() {
    const pool = openPostgres(typeof server === "string" ? "" : server.url)
    onTestFinished(() => pool.end())
    return pool
  }
  const marked = () => server.execute(`SELECT "id" FROM "_docket_commits" WHERE "id" <> '' ORDER BY "id"`)

  it("processes that share a database keep each other's marks", async () => {
    const pool = openPool()
    const [first, second] = await Promise.all([1, 2].map(() => openCommitMarks(pool, { isShared: true })))
    if (first === undefined || second === undefined) throw new Error("two were opened")
    const marks = [first.take(), second.take()] as const
    for (const { begin } of marks) await pool.query(`${begin}; COMMIT`)
    await openCommitMarks(pool, { isShared: true })
    expect([marks[0].slot, await first.isStored(marks[0])]).toEqual([0, true])
    expect([marks[1].slot, await second.isStored(marks[1])]).toEqual([0, true])
    // A process knows its own marks only.
    expect(await first.isStored(marks[1])).toBe(false)
  })

  it("a node removes marks of yesterday, an only service all", async () => {
    const pool = openPool()
    const marks = await openCommitMarks(pool, { isShared: false })
    const [old, young] = [marks.take(), marks.take()]
    for (const { begin } of [old, young]) await pool.query(`${begin}; COMMIT`)
    const past = `now() - INTERVAL '25 hours'`
    await pool.query(`UPDATE "_docket_commits" SET "at" = ${past} WHERE "id" = $1`, [old.id])
    await openCommitMarks(pool, { isShared: true })
    expect(await marked()).toEqual([{ id: young.id }])
    await openCommitMarks(pool, { isShared: false })
    expect(await marked()).toEqual([])
  })

  it("the table of an earlier version is made anew", async () => {
    await server.execute(`DROP TABLE IF EXISTS "_docket_commits"`)
    await server.execute(`CREATE TABLE "_docket_commits" ("slot" INTEGER PRIMARY KEY, "id" TEXT NOT NULL)`)
    await server.execute(`INSERT INTO "_docket_commits" VALUES (0, 'old')`)
    const pool = openPool()
    await Promise.all([1, 2].map(() => openCommitMarks(pool, { isShared: true })))
    expect(await marked()).toEqual([])
  })
}
