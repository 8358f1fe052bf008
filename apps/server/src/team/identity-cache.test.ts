import type { Identity } from "@docket/api"
import { expect, it } from "vitest"
import { believedMs, createIdentityCache } from "./identity-cache.ts"
import { lookEveryMs } from "./open-streams.ts"

const ada: Identity = {
  caller: { person: "ada", workspace: "local" },
  name: "Ada",
  role: "member",
  via: "login",
  credentialID: "sign-in",
}

it("the identity is checked again periodically to notice revocations elsewhere", async () => {
  let now = 1_000
  let asked = 0
  let found: Identity | null = ada
  const cache = createIdentityCache(() => now)
  const identify = () =>
    cache.of("cookie", async () => {
      asked += 1
      return found
    })
  expect(await identify()).toBe(ada)
  found = null
  now += believedMs - 1
  expect(await identify()).toBe(ada)
  expect(asked).toBe(1)
  now += 1
  expect(await identify()).toBeNull()
  expect(asked).toBe(2)
})

it("a cached identity expires early enough to end streams within 5 s", () => {
  // Worst case: the identity was cached just before the revocation, and a stream is checked just before it expires.
  expect(believedMs + lookEveryMs).toBeLessThanOrEqual(4_500)
})
