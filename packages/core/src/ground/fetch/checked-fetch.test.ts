import type { RequestListener } from "node:http"
import { setImmediate as nextTurn } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import { expect, onTestFinished, test } from "vitest"
import { type CheckedFetchOptions, createCheckedFetch } from "./checked-fetch.ts"
import { endless, serve } from "./test/loopback.ts"

async function fetched(listener: RequestListener, limits: Partial<CheckedFetchOptions> = {}) {
  const { url } = await serve(listener)
  const checked = createCheckedFetch({ mayReachLocally: () => true, ...limits })
  onTestFinished(() => checked.close())
  return checked.fetch(url)
}

/** Answers with events, written in pieces. */
const events = (...pieces: string[]): RequestListener =>
  function write(_, response) {
    response.setHeader("content-type", "text/event-stream; charset=utf-8")
    for (const piece of pieces) response.write(piece)
    response.end()
  }

test("an answer without an end fails at 16 MiB", async () => {
  const answer = await fetched(endless)
  await expect(answer.text()).rejects.toThrow("has more than 16 MiB")
})

test("a compressed answer counts as it is unpacked", async () => {
  const packed = gzipSync(Buffer.alloc(2 * 1_048_576))
  const answer = await fetched(
    (_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
      response.end(packed)
    },
    { mostBytes: 1_048_576 },
  )
  await expect(answer.text()).rejects.toThrow("has more than 1 MiB")
})

test("an event without an end fails at 16 MiB", async () => {
  const answer = await fetched((request, response) => {
    response.setHeader("content-type", "text/event-stream")
    endless(request, response)
  })
  await expect(answer.text()).rejects.toThrow(/^An event of .* has more than 16 MiB/)
})

test.each(["\n\n", "\r\n\r\n", "\r\r"])("many small events may be more than the limit: %j", async (end) => {
  const event = `data: ${"x".repeat(50)}${end}`
  const answer = await fetched(events(...Array.from({ length: 20 }, () => event)), { mostBytes: 80 })
  expect(await answer.text()).toBe(event.repeat(20))
})

test.each(["\n", "\r\n", "\r"])("lines of one event count together: %j", async (end) => {
  const lines = Array.from({ length: 20 }, () => `data: x${end}`)
  const answer = await fetched(events(...lines, end), { mostBytes: 80 })
  await expect(answer.text()).rejects.toThrow("An event of")
})

test("a request that takes too long fails", async () => {
  await expect(fetched(() => undefined, { longestMs: 20 })).rejects.toThrow("timeout")
})

test.each(["\n\n", "\r\n\r\n", "\r\r"])("events come no faster than their pace: %j", async (end) => {
  const counted: number[] = []
  const [first, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const pace = async (count: number) => {
    counted.push(count)
    if (sum(counted) < 20) return
    first.resolve()
    await over.promise
  }
  const sent = Promise.withResolvers<void>()
  const listener: RequestListener = async (_, response) => {
    response.setHeader("content-type", "text/event-stream")
    response.write(`data: x${end}`.repeat(20))
    await first.promise
    response.end(`data: y${end}`, sent.resolve)
  }
  const text = (await fetched(listener, { pace })).text()
  await sent.promise
  await nextTurn()
  expect(sum(counted)).toBe(20)
  over.resolve()
  expect(await text).toContain("y")
  expect(sum(counted)).toBe(21)
})

const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)
