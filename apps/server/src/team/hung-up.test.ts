import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { expect, it, onTestFinished } from "vitest"
import { createOpenStreams } from "./open-streams.ts"

it("requests that disconnect during identification leave nothing behind", async () => {
  let asked = 0
  const auth = {
    async identify() {
      asked += 1
      return null
    },
  }
  const streams = createOpenStreams(auth, () => {})
  onTestFinished(streams.close)
  let closed = 0
  const { promise: allClosed, resolve } = Promise.withResolvers<void>()
  const server = createServer(async (req, res) => {
    await once(res, "close")
    streams.add(req, res)
    closed += 1
    if (closed === 40) resolve()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1")
  client.on("error", () => undefined)
  client.write("GET /api/trpc/me.get HTTP/1.1\r\nHost: a\r\n\r\n".repeat(40), () => client.resetAndDestroy())
  await allClosed
  streams.look()
  expect(asked).toBe(0)
})
