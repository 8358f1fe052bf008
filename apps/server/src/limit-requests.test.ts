import { once } from "node:events"
import { createServer, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { text } from "node:stream/consumers"
import { createManualTime, type ManualTime } from "@docket/core/test/manual-time"
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { leastBytes, limitRequests, lookEveryMs } from "./limit-requests.ts"
import { projectID } from "./test/fake-runtime.ts"
import { startTestService } from "./test/start-test-service.ts"

let time: ManualTime

beforeEach(() => {
  time = createManualTime()
})

/** Sends the headers of a request, and the given part of its body. */
function post(port: number, path: string, headers: Record<string, string | number>, body = ""): Socket {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const socket = connect(port, "127.0.0.1")
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`)
  return socket
}

describe("a server", () => {
  let server: Server
  let port: number
  /** Total size of the received bodies. */
  let came: number
  let answerOf: (res: ServerResponse) => void
  let mayEnd: Promise<void>

  beforeEach(async () => {
    came = 0
    mayEnd = Promise.resolve()
    answerOf = () => undefined
    server = createServer((req, res) => {
      answerOf(res)
      req.on("data", (chunk: Buffer) => {
        came += chunk.length
      })
      req.on("error", () => undefined)
      req.on("end", () => void mayEnd.then(() => res.end(`${came}`)))
    })
    limitRequests(server, time.timers)
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    port = (server.address() as AddressInfo).port
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  const arrived = (bytes: number) => expect.poll(() => came).toBe(bytes)

  it("ends a too slow body with 408 and closes its connection", async () => {
    const socket = post(port, "/", { "content-length": 1_000_000 }, "a")
    await arrived(1)
    const said = text(socket)
    await time.pass(lookEveryMs - 1)
    socket.write("b")
    await arrived(2)
    await time.pass(1)
    expect(await said).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n/)
  })

  it("ends stalled chunked requests and incomplete requests already answered", async () => {
    const chunked = post(port, "/", { "transfer-encoding": "chunked" }, "1\r\na\r\n")
    await arrived(1)
    answerOf = (res) => res.writeHead(401, { "content-length": 0 }).end()
    const answered = post(port, "/", { "content-length": 1_000_000 }, "a")
    await arrived(2)
    const said = Promise.all([text(chunked), text(answered)])
    await time.pass(lookEveryMs)
    expect(await said).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 408 /),
      expect.stringMatching(/^HTTP\/1\.1 401 (?![\s\S]*HTTP)/),
    ])
  })

  it("allows a long upload that keeps a fair pace", async () => {
    const pieces = 20
    const socket = post(port, "/", { "content-length": pieces * leastBytes, connection: "close" })
    const said = text(socket)
    await expect.poll(time.waiting).toBe(1)
    for (let piece = 1; piece <= pieces; piece++) {
      socket.write(Buffer.alloc(leastBytes, "a"))
      await arrived(piece * leastBytes)
      if (piece < pieces) await time.pass(lookEveryMs)
    }
    expect(await said).toMatch(new RegExp(`^HTTP/1\\.1 200 [\\s\\S]*\\r\\n${pieces * leastBytes}$`))
  })

  it("allows slow answers and stops checking finished uploads", async () => {
    const held = Promise.withResolvers<void>()
    mayEnd = held.promise
    const socket = post(port, "/", { "content-length": 1, connection: "close" }, "a")
    const said = text(socket)
    await arrived(1)
    await expect.poll(time.waiting).toBe(0)
    await time.pass(10 * lookEveryMs)
    held.resolve()
    expect(await said).toMatch(/^HTTP\/1\.1 200 /)
  })
})

it("the service ends slow uploads on every route and logs nothing", async () => {
  const service = await startTestService({}, { timers: time.timers })
  onTestFinished(service.remove)
  const paths = ["/v1/todos", "/api/login", `/api/import?project=${projectID}`, "/api/trpc/session.prompt"]
  const headers = {
    authorization: `Bearer ${service.token}`,
    "content-type": "application/json",
    "content-length": 10_000,
  }
  const sockets = paths.map((path) => post(service.port, path, headers, "{"))
  await expect.poll(time.waiting).toBe(paths.length)
  const said = Promise.all(sockets.map((socket) => text(socket)))
  await time.pass(lookEveryMs)
  for (const answer of await said) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect((await service.call("/api/health")).status).toBe(200)
  expect(service.logged).toEqual([])
})
