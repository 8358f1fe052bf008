import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, test } from "vitest"
import { createGuardedFetch } from "../../ground/fetch/guarded-fetch.ts"
import { createInstructionAddresses } from "./fetched-instructions.ts"

const hour = 60 * 60_000

async function rulesServer() {
  const served = { status: 200, text: "Rules.", requests: 0 }
  const server = createServer((_, response) => {
    served.requests++
    response.writeHead(served.status).end(served.text)
  }).listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const { port } = server.address() as AddressInfo
  return {
    served,
    url: `http://127.0.0.1:${port}/rules.md`,
    [Symbol.asyncDispose]: async () => void (await new Promise((resolve) => server.close(resolve))),
  }
}

const anywhere = createGuardedFetch({ isAllowed: () => true })

test("an address is fetched once an hour, and its text survives failures", async () => {
  await using server = await rulesServer()
  let now = 0
  const addresses = createInstructionAddresses({ fetch: anywhere, now: () => now })
  expect(addresses.known(server.url)).toBeNull()
  expect(await addresses.of(server.url)).toEqual({ text: "Rules." })
  expect(await addresses.of(server.url)).toEqual({ text: "Rules." })
  expect(server.served.requests).toBe(1)
  now = hour + 1
  server.served.status = 500
  expect(await addresses.of(server.url)).toEqual({ text: "Rules." })
  await expect.poll(() => server.served.requests).toBe(2)
  expect(await addresses.of(server.url)).toEqual({ text: "Rules." })
})

test("an address of this machine or its networks is refused", async () => {
  await using server = await rulesServer()
  const addresses = createInstructionAddresses({ fetch: createGuardedFetch(), now: () => 0 })
  expect(await addresses.of(server.url)).toEqual({ problem: expect.stringContaining("is not on the public internet") })
  expect(server.served.requests).toBe(0)
})

test("an address that gives no text is left out", async () => {
  await using server = await rulesServer()
  server.served.text = "a\0b"
  const addresses = createInstructionAddresses({ fetch: anywhere, now: () => 0 })
  expect(await addresses.of(server.url)).toEqual({ problem: expect.stringContaining("is not text") })
})
