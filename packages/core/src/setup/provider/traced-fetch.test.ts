import { createServer } from "node:http"
import { expect, onTestFinished, test } from "vitest"
import { tracedFetch } from "./traced-fetch.ts"

async function startServer() {
  const seen: unknown[] = []
  const server = createServer((request, response) => {
    seen.push([request.headers.traceparent, request.headers.authorization])
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("no port")
  return { seen, host: `127.0.0.1:${address.port}` }
}

test("only chosen hosts of providers are told the span", async () => {
  const [told, other] = [await startServer(), await startServer()]
  const fetch = tracedFetch({ headers: () => ({ traceparent: "00-a-b-01" }), isTold: (host) => host === told.host })
  const headers = { authorization: "Bearer key" }
  await fetch(`http://${told.host}/v1`, { headers })
  await fetch(new Request(`http://${told.host}/v1`, { headers }))
  await fetch(new URL(`http://${other.host}/v1`), { headers })
  expect(told.seen).toEqual([
    ["00-a-b-01", "Bearer key"],
    ["00-a-b-01", "Bearer key"],
  ])
  expect(other.seen).toEqual([[undefined, "Bearer key"]])
})

test("without a span, requests are as they were", async () => {
  const server = await startServer()
  const fetch = tracedFetch({ headers: () => ({}), isTold: () => true })
  await fetch(`http://${server.host}/v1`)
  expect(server.seen).toEqual([[undefined, undefined]])
})
