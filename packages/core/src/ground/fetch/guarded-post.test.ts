import type { LookupFunction } from "node:net"
import { expect, test } from "vitest"
import { createGuardedPost, postLimits } from "./guarded-post.ts"
import { allowedAddresses } from "./public-address.ts"
import { endless, names, serve } from "./test/loopback.ts"

const { signal } = new AbortController()
const input = { headers: { "content-type": "application/json" }, body: "{}", isAllowed: allowedAddresses([]) }
const loopback = { ...input, isAllowed: allowedAddresses(["127.0.0.0/8"]) }

test("public and listed addresses are allowed in every form, nothing else", () => {
  const isAllowed = allowedAddresses(["10.1.0.0/16", "127.0.0.1", "fd00::/8"])
  const addresses = ["10.1.2.3", "::ffff:10.1.2.3", "127.0.0.1", "fd12::1", "1.1.1.1"]
  expect(addresses.filter(isAllowed)).toEqual(addresses)
  expect(["10.2.0.1", "127.0.0.2", "::1", "169.254.169.254", "fe80::1", "nonsense"].filter(isAllowed)).toEqual([])
})

test("no packet reaches an internal address, directly or by any name", async () => {
  const server = await serve((_, response) => response.end())
  const post = (lookup?: LookupFunction) => createGuardedPost(lookup && { lookup })
  const refused = /not on the public internet/
  await expect(post()({ ...input, url: `http://127.0.0.1:${server.port}/` }, signal)).rejects.toThrow(refused)
  await expect(post()({ ...input, url: `http://[::ffff:7f00:1]:${server.port}/` }, signal)).rejects.toThrow(refused)
  const url = `http://hooks.example:${server.port}/`
  for (const lookup of [names(["127.0.0.1"]), names(["93.184.216.34", "127.0.0.1"]), names(["::ffff:127.0.0.1"])]) {
    await expect(post(lookup)({ ...input, url }, signal)).rejects.toThrow(refused)
  }
  // The name's first look-up gives an allowed address, the second another one: each delivery looks up and checks again.
  const rebound = post(names(["127.0.0.1"], ["127.0.0.2"]))
  const one = { ...input, url, isAllowed: allowedAddresses(["127.0.0.1"]) }
  expect(await rebound(one, signal)).toEqual({ status: 200, body: "" })
  await expect(rebound(one, signal)).rejects.toThrow(refused)
  expect(server.connections()).toBe(1)
})

test("a redirect is returned as the answer and not followed", async () => {
  const inner = await serve((_, response) => response.end())
  const outer = await serve((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${inner.port}/` }).end("elsewhere")
  })
  const answer = await createGuardedPost()({ ...loopback, url: `http://127.0.0.1:${outer.port}/` }, signal)
  expect([answer, inner.connections()]).toEqual([{ status: 307, body: "elsewhere" }, 0])
})

test("an endless answer is truncated, and a missing one times out", async () => {
  const server = await serve(endless)
  const { body } = await createGuardedPost()({ ...loopback, url: `http://127.0.0.1:${server.port}/` }, signal)
  expect(body).toBe("x".repeat(postLimits.answerBytes))
  const silent = await serve(() => undefined)
  const late = createGuardedPost({ limitMs: 50 })({ ...loopback, url: `http://127.0.0.1:${silent.port}/` }, signal)
  await expect(late).rejects.toThrow("it did not answer within 0.05 seconds")
  const stopped = new AbortController()
  const held = await serve(() => stopped.abort(new Error("stopped")))
  const ended = createGuardedPost()({ ...loopback, url: `http://127.0.0.1:${held.port}/` }, stopped.signal)
  await expect(ended).rejects.toThrow("stopped")
})
