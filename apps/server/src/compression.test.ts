import { request } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import type { UseCases } from "@docket/core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { sessionID, shareSecret } from "./test/fake-runtime.ts"
import { startTestService, type TestService } from "./test/start-test-service.ts"

interface Answer {
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
}

let service: TestService
const tree = await makeLongTree()

beforeAll(async () => {
  service = await startTestService()
  service.runtime.session.tree = async () => tree
  service.runtime.links.copy.tree = async () => ({ ...tree, locked: [] })
})
afterAll(() => service.remove())

/** A tree with many sessions, as `session.tree` returns it. */
async function makeLongTree(): Promise<Awaited<ReturnType<UseCases["session"]["tree"]>>> {
  const todos = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`ses_${n}`, []]))
  return { seq: 5, sessions: [], todos, permissions: [], turns: [], tasks: [] }
}

/** A header that a proxy adds for remote clients. */
const far = { "x-forwarded-for": "203.0.113.7" }

function ask(path: string, headers: Record<string, string>, method = "GET"): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const authorization = `Bearer ${service.token}`
  const req = request(
    `${service.url}${path}`,
    { method, headers: { authorization, ...far, ...headers } },
    async (res) => {
      const chunks: Buffer[] = []
      if (String(res.headers["content-type"]).startsWith("text/event-stream")) req.destroy()
      else for await (const chunk of res) chunks.push(chunk)
      resolve({ headers: res.headers, bytes: Buffer.concat(chunks) })
    },
  )
  req.on("error", reject)
  req.end()
  return promise
}

const input = encodeURIComponent(JSON.stringify({ sessionID }))
const treeCall = `/api/trpc/session.tree?input=${input}`
const batchCall = `/api/trpc/session.tree?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: { sessionID } }))}`
const sharedTree = `/api/share/${shareSecret}`

it.each([
  ["a call", treeCall],
  ["a batch of calls", batchCall],
  ["a shared tree", sharedTree],
])("%s is compressed only for clients that accept compression", async (_, path) => {
  const plain = await ask(path, {})
  expect(plain.headers["content-encoding"]).toBeUndefined()
  expect(plain.headers["content-length"]).toBe(String(plain.bytes.length))
  for (const [accepted, encoding, decode] of [
    ["gzip, deflate", "gzip", gunzipSync],
    ["gzip, deflate, br", "br", brotliDecompressSync],
  ] as const) {
    const { headers, bytes } = await ask(path, { "accept-encoding": accepted })
    expect(headers).toMatchObject({ "content-encoding": encoding, "content-length": String(bytes.length) })
    expect(headers.vary).toContain("accept-encoding")
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3)
    expect(decode(bytes).equals(plain.bytes)).toBe(true)
  }
})

it("answers to the same machine are not compressed", async () => {
  const accepted = { "accept-encoding": "gzip, br", authorization: `Bearer ${service.token}` }
  const answer = await fetch(`${service.url}${treeCall}`, { headers: accepted })
  expect(answer.headers.get("content-encoding")).toBeNull()
})

it("a client that accepts JSON lines gets a batch as a stream", async () => {
  const wanted = { "trpc-accept": "application/jsonl", "accept-encoding": "gzip" }
  const { headers, bytes } = await ask(batchCall, wanted)
  expect(headers).toMatchObject({ "transfer-encoding": "chunked" })
  expect(headers["content-length"]).toBeUndefined()
  expect(bytes.toString().trim().split("\n").length).toBeGreaterThan(1)
})

it("HEAD gets the length of GET's answer and no body", async () => {
  const accepted = { "accept-encoding": "gzip" }
  const [get, head] = [await ask(sharedTree, accepted), await ask(sharedTree, accepted, "HEAD")]
  expect(head.bytes).toHaveLength(0)
  expect(head.headers["content-length"]).toBe(get.headers["content-length"])
  expect(head.headers["content-encoding"]).toBe("gzip")
})

it.each([
  ["a small answer", "/api/health"],
  ["a small answer to a call", "/api/trpc/session.list?input=%7B%7D"],
  ["a refusal", "/api/trpc/nothing"],
  ["the event stream", "/api/trpc/event.subscribe?input=%7B%7D"],
  ["the event stream of a link", `/api/share/${shareSecret}/events`],
])("%s is not compressed", async (_, path) => {
  const { headers } = await ask(path, { "accept-encoding": "gzip, br", accept: "text/event-stream" })
  expect(headers["content-encoding"]).toBeUndefined()
})
