import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, test } from "vitest"
import { docketUnreachable, httpStatus } from "./client-error.ts"
import { createDocketClient } from "./create-docket-client.ts"

test("a call that reaches no service says so in words for people, and keeps the cause", async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")

  const client = createDocketClient({ url: `http://127.0.0.1:${port}`, token: "none" })
  const read = await client.session.list.query({}).catch((error: unknown) => error)
  const change = await client.session.abort.mutate({ sessionID: "ses_0" }).catch((error: unknown) => error)
  for (const error of [read, change]) {
    expect(error).toHaveProperty("message", docketUnreachable)
    expect(error).toHaveProperty("cause.cause", expect.any(TypeError))
    expect(httpStatus(error)).toBeNull()
  }
})
