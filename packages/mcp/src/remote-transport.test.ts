import { createPace } from "@docket/core/pace"
import { nodeTimers } from "@docket/core/timers"
import { noTrace } from "@docket/core/trace"
import { expect, onTestFinished, test } from "vitest"
import { createRemoteTransport } from "./remote-transport.ts"
import { startRemoteServer } from "./test/remote-server.ts"

test.each([
  ["0", 250],
  ["500", 500],
  ["9999999999999", 30_000],
])("a stream that names %s ms is opened again within bounds", async (retry, expected) => {
  const server = await startRemoteServer()
  server.answer((response) => {
    if (response.req.method === "POST") return response.writeHead(202).end()
    return response.writeHead(200, { "content-type": "text/event-stream" }).end(`retry: ${retry}\nid: 1\ndata:\n\n`)
  })
  const paused = Promise.withResolvers<number>()
  const after = (ms: number) => {
    paused.resolve(ms)
    return () => {}
  }
  const transport = createRemoteTransport(
    {
      name: "far",
      scope: "user",
      file: "docket.json",
      files: new Map(),
      line: null,
      config: { type: "remote", url: server.url },
    },
    {
      ...{ kind: "http", isShared: false, auth: null, trace: noTrace },
      ...{ pace: createPace(nodeTimers, 200), timers: { ...nodeTimers, after } },
    },
  )
  onTestFinished(() => transport.close())
  await transport.start()
  // After this a client hears what the server says by itself.
  await transport.send({ jsonrpc: "2.0", method: "notifications/initialized" })
  expect(await paused.promise).toBe(expected)
})
