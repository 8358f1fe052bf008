import type { RequestListener } from "node:http"
import { describe, expect, test } from "vitest"
import { createGuardedFetch } from "./guarded-fetch.ts"
import { isPublicAddress } from "./public-address.ts"
import { endless, names, serve } from "./test/loopback.ts"

const { signal } = new AbortController()
const hello: RequestListener = (_, response) => {
  response.setHeader("content-type", "text/plain")
  response.end("hello")
}

describe("isPublicAddress", () => {
  test.each([
    "127.0.0.1",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "168.63.129.16",
    "::ffff:168.63.129.16",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "198.18.0.1",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::7f00:1",
    "64:ff9b:1::7f00:1",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
    "fe80::1",
    "fc00::1",
    "fd00:ec2::254",
    "fec0::1",
    "ff02::1",
    "2001:db8::1",
    "localhost",
    "",
  ])("%s is not public", (address) => expect(isPublicAddress(address)).toBe(false))

  test.each(["1.1.1.1", "8.8.8.8", "2606:4700:4700::1111"])("%s is public", (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )
})

test.each([
  "127.0.0.1",
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "127.1",
  "0",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "localhost",
])("no packet reaches this machine by the host %s", async (host) => {
  const server = await serve(hello)
  await expect(createGuardedFetch()(`http://${host}:${server.port}/`, signal)).rejects.toThrow(
    /not on the public internet/,
  )
  expect(server.connections()).toBe(0)
})

test("no packet reaches a private address behind a public name", async () => {
  const server = await serve(hello)
  const url = `http://files.example:${server.port}/`
  for (const lookup of [names(["127.0.0.1"]), names(["::ffff:127.0.0.1"]), names(["10.0.0.1"], ["127.0.0.1"])]) {
    await expect(createGuardedFetch({ lookup })(url, signal)).rejects.toThrow(/not on the public internet/)
  }
  expect(server.connections()).toBe(0)
})

test("a redirect is checked like the first address", async () => {
  const inner = await serve(hello)
  const outer = await serve((_, response) => {
    response.writeHead(302, { location: `http://127.0.0.2:${inner.port}/` }).end()
  })
  const fetch = createGuardedFetch({ isAllowed: (address) => address === "127.0.0.1" })
  await expect(fetch(`http://127.0.0.1:${outer.port}/`, signal)).rejects.toThrow(/not on the public internet/)
  expect(inner.connections()).toBe(0)
  const elsewhere = await serve((_, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end())
  await expect(fetch(`http://127.0.0.1:${elsewhere.port}/`, signal)).rejects.toThrow(/only http and https/)
  const round = await serve((_, response) => response.writeHead(302, { location: "/" }).end())
  await expect(fetch(`http://127.0.0.1:${round.port}/`, signal)).rejects.toThrow(/redirected more than 5 times/)
})

test("a permitted file is fetched with its type, following redirects", async () => {
  const server = await serve((request, response) => {
    if (request.url === "/old") response.writeHead(301, { location: "/new" }).end()
    else hello(request, response)
  })
  const fetch = createGuardedFetch({ isAllowed: () => true, lookup: names(["127.0.0.1"]) })
  const { bytes, mediaType } = await fetch(`http://files.example:${server.port}/old`, signal)
  expect([bytes.toString(), mediaType]).toEqual(["hello", "text/plain"])
})

test("size limit, server error and stop end the fetch with a reason", async () => {
  const server = await serve(endless)
  const fetch = createGuardedFetch({ isAllowed: () => true })
  await expect(fetch(`http://127.0.0.1:${server.port}/`, signal)).rejects.toThrow("it is larger than 5 MB.")
  const missing = await serve((_, response) => response.writeHead(404).end("no"))
  await expect(fetch(`http://127.0.0.1:${missing.port}/`, signal)).rejects.toThrow("the server answered 404.")
  const stopped = new AbortController()
  const silent = await serve(() => stopped.abort(new Error("stopped")))
  await expect(fetch(`http://127.0.0.1:${silent.port}/`, stopped.signal)).rejects.toThrow("stopped")
})
