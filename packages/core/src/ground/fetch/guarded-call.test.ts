import { expect, test } from "vitest"
import { createGuardedCall } from "./guarded-call.ts"
import { endless, names, serve } from "./test/loopback.ts"

const { signal } = new AbortController()
const form = new URLSearchParams({ client_secret: "sesame" })
const anywhere = { isAllowed: () => true, allowsHTTP: true }

test("no packet reaches an internal address, even when a name's address changes", async () => {
  const { port, connections } = await serve((_, response) => response.end("{}"))
  const call = createGuardedCall({ allowsHTTP: true })
  for (const host of [
    "127.0.0.1",
    "[::ffff:127.0.0.1]",
    "[::1]",
    "0177.0.0.1",
    "2130706433",
    "0x7f.1",
    "0",
    "localhost",
  ])
    await expect(call({ url: `http://${host}:${port}/`, form }, signal), host).rejects.toThrow("public internet")
  const lookup = names(["93.184.216.34", "127.0.0.1"], ["127.0.0.1"], ["::ffff:7f00:1"])
  const rebound = createGuardedCall({ allowsHTTP: true, lookup })
  for (const _ of [1, 2, 3])
    await expect(rebound({ url: `http://id.example:${port}/`, form }, signal)).rejects.toThrow("public internet")
  expect(connections()).toBe(0)
})

test("data is never sent without TLS or to a redirect target", async () => {
  const elsewhere = await serve((_, response) => response.end("{}"))
  const redirecting = await serve((_, response) => response.writeHead(307, { location: elsewhere.url }).end())
  const call = createGuardedCall(anywhere)
  await expect(call({ url: redirecting.url, form }, signal)).rejects.toThrow("answered 307")
  const strict = createGuardedCall({ isAllowed: () => true })
  await expect(strict({ url: elsewhere.url, form }, signal)).rejects.toThrow("without TLS")
  await expect(strict({ url: "file:///etc/passwd" }, signal)).rejects.toThrow("only http and https")
  expect(elsewhere.connections()).toBe(0)
})

test("a complete answer is returned, and an endless one is refused", async () => {
  const small = await serve((request, response) => response.end(`${request.method} ${request.headers.authorization}`))
  const call = createGuardedCall(anywhere)
  expect(await call({ url: small.url, headers: { authorization: "Bearer x" } }, signal)).toBe("GET Bearer x")
  expect(await call({ url: small.url, form }, signal)).toBe("POST undefined")
  const server = await serve(endless)
  await expect(call({ url: server.url }, signal)).rejects.toThrow("sent more than 1048576 bytes")
})
