import type { RequestListener } from "node:http"
import { gzipSync } from "node:zlib"
import { expect, onTestFinished, test } from "vitest"
import { createCheckedFetch } from "./checked-fetch.ts"
import { endless, serve } from "./test/loopback.ts"

async function fetched(listener: RequestListener, limits: { mostBytes?: number; longestMs?: number } = {}) {
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
