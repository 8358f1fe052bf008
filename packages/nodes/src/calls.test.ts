import { startPostgres, type TestPostgres } from "@docket/db/start-postgres"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { createCalls } from "./calls.ts"
import { openNodeLinks } from "./open-links.ts"

const probe = await startPostgres()
if (typeof probe === "string") console.warn(`PostgreSQL tests are skipped: ${probe}`)
else await probe.stop()

describe.skipIf(typeof probe === "string")("calls between nodes", () => {
  let database: TestPostgres
  beforeAll(async () => {
    const started = await startPostgres()
    if (typeof started === "string") throw new Error(started)
    database = started
  })
  afterAll(() => database.stop())

  const isServed = () => true
  const open = async () => {
    const errors: unknown[] = []
    const links = await openNodeLinks({
      ...{ url: database.url, now: () => performance.now() },
      onError: (error) => void errors.push(error),
    })
    onTestFinished(async () => {
      await links.close()
      expect(errors).toEqual([])
    })
    return links.calls
  }

  test("a node of its target answers a call", async () => {
    const [web, one, two] = [await open(), await open(), await open()]
    await one.serve(["host:one"], async (request) => `one: ${request}`)
    await two.serve(["host:two", "any"], async (request) => `two: ${request}`)
    const long = "x".repeat(300_000)
    const asked = [
      web.call("host:one", 'a "quoted" \\u0000 text\n', { isServed }),
      web.call("host:two", long, { isServed }),
      two.call("host:one", "from a worker", { isServed }),
    ]
    expect(await Promise.all(asked)).toEqual(['one: a "quoted" \\u0000 text\n', `two: ${long}`, "one: from a worker"])
  })

  test("many calls at once are each answered once", async () => {
    const [web, worker] = [await open(), await open()]
    const seen: string[] = []
    await worker.serve(["host:many"], async (request) => {
      seen.push(request)
      return request
    })
    const requests = Array.from({ length: 100 }, (_, n) => String(n))
    expect(await Promise.all(requests.map((request) => web.call("host:many", request, { isServed })))).toEqual(requests)
    expect(seen.toSorted()).toEqual(requests.toSorted())
  })

  test("a caller that leaves is not waited for", async () => {
    const web = await open()
    const leaving = new AbortController()
    const call = web.call("host:nobody", "anybody?", { isServed, signal: leaving.signal })
    leaving.abort(new Error("the page was closed"))
    await expect(call).rejects.toThrow("the page was closed")
  })

  test("a call fails when its target is gone", async () => {
    const web = await open()
    const call = web.call("host:gone", "anybody?", { isServed: () => false })
    await expect(call).rejects.toMatchObject({ code: "host_away" })
  })
})

test("a call outlives an absent database, and is sent once", async () => {
  const away = new Error("the database system is starting up")
  const ids: unknown[] = []
  let looks = 0
  const boss = {
    createQueue: async () => {},
    getDb: () => ({ executeSql: async () => Promise.reject(away) }),
    async send(_queue: string, _data: object, { id }: { id: string }) {
      ids.push(id)
      if (ids.length === 1) throw away
      return id
    },
    async findJobs() {
      looks += 1
      if (looks === 1) throw away
      return [{ state: "completed", output: { answer: "done" } }]
    },
  } as never
  const errors: unknown[] = []
  const wake = { listen: () => () => {}, close: async () => {} }
  const calls = createCalls(boss, wake, (error) => void errors.push(error))
  expect(await calls.call("host:one", "once", { isServed: () => true })).toBe("done")
  expect([ids.length, new Set(ids).size, looks]).toEqual([2, 1, 2])
  expect(errors).toEqual([away, away, away])
})
