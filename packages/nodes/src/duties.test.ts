import { fork } from "node:child_process"
import { once } from "node:events"
import { startPostgres, type TestPostgres } from "@docket/db/start-postgres"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { openNodeLinks } from "./open-links.ts"

const probe = await startPostgres()
if (typeof probe === "string") console.warn(`PostgreSQL tests are skipped: ${probe}`)
else await probe.stop()

describe.skipIf(typeof probe === "string")("duties", () => {
  let database: TestPostgres
  beforeAll(async () => {
    const started = await startPostgres()
    if (typeof started === "string") throw new Error(started)
    database = started
  })
  afterAll(() => database.stop())

  /** A node that wants a duty. `gained` resolves each time it has it, with the signal that takes it away. */
  const open = async (name: string) => {
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const { duties, close } = await openNodeLinks({ url: database.url, now: () => performance.now(), onError })
    onTestFinished(close)
    const holds: AbortSignal[] = []
    await duties.want(name, async (signal) => {
      holds.push(signal)
      if (!signal.aborted) await once(signal, "abort")
    })
    return { duties, holds, errors, close }
  }

  test("one node has a duty, and gives it to another", async () => {
    const first = await open("files/host:one")
    await expect.poll(() => first.holds).toHaveLength(1)
    const second = await open("files/host:one")
    const elsewhere = await open("files/host:two")
    await expect.poll(() => elsewhere.holds).toHaveLength(1)
    expect(second.holds).toEqual([])
    await first.duties.giveBack()
    expect(first.holds.map(({ aborted }) => aborted)).toEqual([true])
    await expect.poll(() => second.holds).toHaveLength(1)
    first.duties.resume()
    await second.close()
    await expect.poll(() => first.holds).toHaveLength(2)
    expect([first, second, elsewhere].flatMap(({ errors }) => errors)).toEqual([])
  })

  test("another node gets the duty of a node that was killed", async () => {
    const child = fork(new URL("test/killed-node.ts", import.meta.url), [database.url])
    onTestFinished(() => void child.kill("SIGKILL"))
    const said: unknown[] = []
    child.on("message", (text) => said.push(text))
    await expect.poll(() => said, { timeout: 20_000 }).toContain("rows")
    const other = await open("rows")
    child.kill("SIGKILL")
    await expect.poll(() => other.holds, { timeout: 30_000 }).toHaveLength(1)
  })

  test("a duty that was lost is held by nobody twice", async () => {
    const first = await open("lost")
    await expect.poll(() => first.holds).toHaveLength(1)
    await database.execute(
      `UPDATE docket_jobs.job SET state = 'retry', retry_count = retry_count + 1 WHERE name = 'duty/lost'`,
    )
    const second = await open("lost")
    const current = () => [...first.holds, ...second.holds].filter(({ aborted }) => !aborted)
    await expect.poll(() => first.holds[0]?.aborted, { timeout: 20_000 }).toBe(true)
    await expect.poll(current).toHaveLength(1)
  })
})
