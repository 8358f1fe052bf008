import { startPostgres, type TestPostgres } from "@docket/db/start-postgres"
import { Pool } from "pg"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { openTries } from "./tries.ts"

const probe = await startPostgres()
if (typeof probe === "string") console.warn(`PostgreSQL tests are skipped: ${probe}`)
else await probe.stop()

describe.skipIf(typeof probe === "string")("tries over nodes", () => {
  let database: TestPostgres
  beforeAll(async () => {
    const started = await startPostgres()
    if (typeof started === "string") throw new Error(started)
    database = started
  })
  afterAll(() => database.stop())

  const open = async (name: string, limit = { most: 3, windowMs: 60_000 }) => {
    const pool = new Pool({ connectionString: database.url })
    onTestFinished(() => pool.end())
    const create = await openTries((sql, values) => pool.query(sql, values && [...values]), "public")
    return create(name, limit)
  }

  test("two nodes that take at once count together", async () => {
    const [one, other] = [await open("a"), await open("a")]
    const waits = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? one : other).take("ada")))
    expect(waits.filter((wait) => wait === null)).toHaveLength(3)
    expect(waits.every((wait) => wait === null || (wait > 0 && wait <= 60_000))).toBe(true)
    expect(await (await open("b")).take("ada")).toBeNull()
    expect(await one.take("bob")).toBeNull()
  })

  test("tries come back; refused ones do not count", async () => {
    const [one, other] = [await open("c"), await open("c")]
    for (let n = 0; n < 3; n++) await one.take("ada")
    for (let n = 0; n < 3; n++) expect(await other.take("ada")).not.toBeNull()
    await other.giveBack("ada")
    expect([await one.take("ada"), (await one.take("ada")) === null]).toEqual([null, false])
    await other.clear("ada")
    for (let n = 0; n < 3; n++) expect(await one.take("ada")).toBeNull()
  })

  test("a new window begins after the old one, and rows name nobody", async () => {
    const tries = await open("d", { most: 1, windowMs: 1_000 })
    expect(await tries.take("ada@example.org")).toBeNull()
    await expect.poll(() => tries.take("ada@example.org"), { timeout: 10_000 }).toBeNull()
    const rows = JSON.stringify(await database.execute("SELECT * FROM tries"))
    expect(rows).not.toContain("ada")
  })
})
