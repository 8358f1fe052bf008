import { setTimeout as delay } from "node:timers/promises"
import { startPostgres, type TestPostgres } from "@docket/db/start-postgres"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { createNodesInOrder } from "./in-order.ts"

const probe = await startPostgres()
if (typeof probe === "string") console.warn(`PostgreSQL tests are skipped: ${probe}`)
else await probe.stop()

describe.skipIf(typeof probe === "string")("in order over nodes", () => {
  let database: TestPostgres
  beforeAll(async () => {
    const started = await startPostgres()
    if (typeof started === "string") throw new Error(started)
    database = started
  })
  afterAll(() => database.stop())

  const open = () => {
    const { inOrder, close } = createNodesInOrder(database.url)
    onTestFinished(close)
    return inOrder
  }

  test("work of one key never overlaps, at one node or two", async () => {
    const nodes = [open(), open()]
    let [underWay, most, done] = [0, 0, 0]
    const work = async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await delay(5)
      underWay -= 1
      done += 1
    }
    await Promise.all(Array.from({ length: 12 }, (_, n) => nodes[n % 2]?.("team", work)))
    expect([done, most]).toEqual([12, 1])
  })

  test("work of other keys goes on, also within", async () => {
    const [one, other] = [open(), open()]
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const first = one("a", () => {
      begun.resolve()
      return held.promise
    })
    await begun.promise
    expect(await other("b", () => other("c", async () => "done"))).toBe("done")
    held.resolve()
    await first
    expect(await other("a", async () => "after")).toBe("after")
  })

  test("a failure frees the key, and so does a lost connection", async () => {
    const [one, other] = [open(), open()]
    await expect(one("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no")
    expect(await other("a", async () => 1)).toBe(1)
    const lost = await one("a", async () => {
      await database.execute(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'docket order'`,
      )
      return other("a", async () => 2)
    })
    expect([lost, await one("a", async () => 3)]).toEqual([2, 3])
  })
})
