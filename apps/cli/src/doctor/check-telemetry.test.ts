import { createServer } from "node:http"
import { expect, onTestFinished, test } from "vitest"
import { checkTelemetry } from "./check-telemetry.ts"

/** A receiver that answers each request with this status. */
async function startReceiver(status: number) {
  const requests: unknown[] = []
  const server = createServer((request, response) => {
    requests.push([request.url, request.headers["x-key"]])
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections()))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("no port")
  return { requests, url: `http://127.0.0.1:${address.port}` }
}

test("docket doctor sends nothing to a receiver, and it answers", async () => {
  const { url, requests } = await startReceiver(200)
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`, OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b" }
  expect(await checkTelemetry(variables)).toMatchObject({ state: "ok", text: `${url}/v1/traces takes what is sent` })
  expect(requests).toEqual([["/v1/traces", "a b"]])
})

test.for([
  [401, "OTEL_EXPORTER_OTLP_HEADERS"],
  [404, "without /v1/traces"],
  [415, "collector"],
] as const)("docket doctor says what to do when a receiver answers %i", async ([status, advice]) => {
  const { url } = await startReceiver(status)
  expect(await checkTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: url })).toMatchObject({
    ...{ state: "warn", text: expect.stringContaining(advice) },
  })
})

test("docket doctor names a receiver that is away", async () => {
  const check = await checkTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" })
  expect(check).toMatchObject({ state: "warn", text: expect.stringContaining("http://127.0.0.1:1/v1/traces") })
})

test("docket doctor says nothing of telemetry that is off", async () => {
  expect(await checkTelemetry({})).toBeNull()
  const given = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" }
  expect(await checkTelemetry({ ...given, OTEL_SDK_DISABLED: "true" })).toBeNull()
  expect(await checkTelemetry({ ...given, OTEL_TRACES_EXPORTER: "none" })).toBeNull()
})
