import { expect, it } from "vitest"
import { createTryLimit } from "./try-limit.ts"
import { createUnlockLimit } from "./unlock-limit.ts"

const secret = "A".repeat(22)

function setUp() {
  let now = 0
  const limit = createUnlockLimit((_, options) => createTryLimit({ ...options, clock: () => now }))
  const take = (address: string, of = secret) => limit.take(address, of)
  const pass = (ms: number) => {
    now += ms
  }
  return { limit, take, pass }
}

it("ten tries per place pass across links, then one every six seconds", async () => {
  const { take, pass } = setUp()
  for (let at = 0; at < 10; at += 1) expect(await take("10.0.0.1", `link ${at}`)).toBeNull()
  expect(await take("10.0.0.1")).toBe(6)
  expect(await take("10.0.0.2")).toBeNull()
  pass(4_500)
  expect(await take("10.0.0.1")).toBe(2)
  pass(1_500)
  expect([await take("10.0.0.1"), await take("10.0.0.1")]).toEqual([null, 6])
})

it("a /64 of IPv6 is one place", async () => {
  const { take } = setUp()
  for (let at = 0; at < 10; at += 1) expect(await take(`2001:db8::1:${at}:0:0:1`)).toBeNull()
  expect(await take("2001:db8:0:1:ffff::1")).toBe(6)
  expect(await take("2001:db8:0:2::1")).toBeNull()
})

it("thirty tries per link are allowed; refused tries cost a place nothing", async () => {
  const { take } = setUp()
  for (let at = 0; at < 30; at += 1) expect(await take(`10.0.1.${at}`)).toBeNull()
  for (let at = 0; at < 20; at += 1) expect(await take("10.0.0.9")).toBe(2)
  for (let at = 0; at < 10; at += 1) expect(await take("10.0.0.9", `link ${at}`)).toBeNull()
})

it("a right password is not counted", async () => {
  const { limit, take } = setUp()
  for (let at = 0; at < 40; at += 1) {
    expect(await take("10.0.0.1")).toBeNull()
    await limit.giveBack("10.0.0.1", secret)
  }
})
