import { once } from "node:events"
import { request } from "node:http"
import type { Turn } from "@docket/core/schema"
import { afterEach, beforeEach, expect, it } from "vitest"
import { sessionID } from "./test/fake-runtime.ts"
import { startTestService, type TestService } from "./test/start-test-service.ts"

let service: TestService

beforeEach(async () => {
  service = await startTestService()
})
afterEach(() => service.remove())

it("logs no failure when a client waiting for a turn disconnects", async () => {
  const waiting = Promise.withResolvers<AbortSignal>()
  // The service reads only the turn's id.
  service.runtime.session.promptAsync = async () => ({ id: "trn_1" }) as Turn
  service.runtime.session.wait = ({ signal }) => {
    if (signal === undefined) throw new Error("the call has no signal")
    waiting.resolve(signal)
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
  }
  const call = request(`${service.url}/api/trpc/session.prompt`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
  })
  call.on("error", () => undefined)
  call.end(JSON.stringify({ sessionID, parts: [{ type: "text", text: "Hello" }] }))
  const signal = await waiting.promise
  const hungUp = once(signal, "abort")
  call.destroy()
  await hungUp
  // The service answers in order, so the earlier call is finished.
  expect((await service.call("/api/health")).status).toBe(200)
  expect(service.logged).toEqual([])
})

it.each(["/v1/todos", "/api/login"])("a client that disconnects while sending to %s logs no failure", async (path) => {
  const call = request(`${service.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json", "content-length": 100 },
  })
  call.on("error", () => undefined)
  const closed = new Promise((resolve) => call.once("close", resolve))
  await new Promise((resolve) => call.write('{"subject":', resolve))
  // The service answers in order, so it has started to read.
  await service.call("/api/health")
  call.destroy()
  await closed
  expect((await service.call("/api/health")).status).toBe(200)
  expect(service.logged).toEqual([])
})
