import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest"
import { docketCode, httpStatus, retryAfter } from "./client-error.ts"
import { createDocketClient, type DocketClient } from "./create-docket-client.ts"
import { subscribeTree } from "./subscribe-tree.ts"
import { type LiveService, startLiveService } from "./test/live-service.ts"
import { createTreeStore } from "./tree-store.ts"

let service: LiveService
beforeEach(async () => {
  service = await startLiveService()
})
afterEach(() => service.close())

/** A client whose first `calls` calls are refused with status 429. */
function limited(calls: number): { client: DocketClient; left(): number } {
  let left = calls
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (left === 0) return globalThis.fetch(input, init)
    left -= 1
    const data = { code: "TOO_MANY_REQUESTS", httpStatus: 429, docketCode: null, path: null }
    const body = { error: { code: -32029, message: "too many calls; send the next in 7 s", data } }
    return Response.json(body, { status: 429, headers: { "retry-after": "7" } })
  }
  return { client: createDocketClient({ ...service, fetch }), left: () => left }
}

test("a call refused for too many calls says when to retry", async () => {
  const { client } = limited(1)
  const error = await client.session.list.query({}).catch((thrown: unknown) => thrown)
  expect([httpStatus(error), docketCode(error), retryAfter(error)]).toEqual([429, null, 7])
  expect(retryAfter(await client.session.get.query({ sessionID: "none" }).catch((thrown) => thrown))).toBeNull()
})

test("subscriptions and tree loading recover after too many calls", async () => {
  const { client, left } = limited(6)
  await new Promise<void>((resolve, reject) => {
    const stop = subscribeTree(client, {
      sessionID: service.session.id,
      pauses: { first: 1, longest: 4 },
      onEvent() {},
      onState: (state) => state === "live" && resolve(),
      onError: reject,
    })
    onTestFinished(stop)
  })
  expect(left()).toBe(0)

  const tree = createTreeStore(limited(1).client, { sessionID: service.session.id })
  onTestFinished(tree.close)
  const { error, loaded } = await new Promise<{ error: unknown; loaded: boolean }>((resolve) => {
    tree.subscribe(() => {
      const view = tree.get()
      if (view.error !== null || view.tree !== null) resolve({ error: view.error, loaded: view.tree !== null })
    })
  })
  expect({ error, loaded }).toEqual({ error: null, loaded: true })
})

test.for([
  [502, "text/html", "<h1>Bad Gateway</h1>"],
  [404, "text/plain", "404 page not found"],
  [200, "text/html; charset=utf-8", "<!doctype html>"],
] as const)("an answer not from Docket is reported as such: %i as %s", async ([status, type, body]) => {
  const { url, stop } = await serve((_, res) => void res.writeHead(status, { "content-type": type }).end(body))
  onTestFinished(stop)
  const client = createDocketClient({ url, token: "key" })
  const read = await client.session.list.query({}).catch((error: unknown) => error)
  const change = await client.session.abort.mutate({ sessionID: "ses_0" }).catch((error: unknown) => error)
  for (const error of [read, change]) {
    expect(error).toHaveProperty("message", expect.stringContaining(`${url}/api/trpc`))
    expect(error).toHaveProperty("message", expect.stringContaining(`(${status}, ${type.split(";")[0]})`))
    expect([httpStatus(error), docketCode(error)]).toEqual([null, null])
  }
})

async function serve(answer: RequestListener): Promise<{ url: string; stop(): void }> {
  const server = createServer(answer).listen(0, "127.0.0.1")
  await once(server, "listening")
  // A listening server has an address.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => void server.close() }
}
