import { expect, it } from "vitest"
import { createSignInLimit } from "./sign-in-limit.ts"
import { countersInMemory, createTryCounter } from "./try-counter.ts"

const limits = { perAccountAndPlace: 3, perAccount: 5, perPlace: 8, minutes: 15 }

function start() {
  const time = { now: 0 }
  return {
    time,
    limit: createSignInLimit(
      limits,
      countersInMemory(() => time.now),
    ),
  }
}

it("sign-in tries are limited per account and place, account, and place", async () => {
  const { limit } = start()
  const tries = async (address: string, account: string, count: number) => {
    const waits: (number | null)[] = []
    for (let n = 0; n < count; n += 1) waits.push(await limit.take(address, account))
    return waits
  }
  expect(await tries("10.0.0.1", "ada", 4)).toEqual([null, null, null, 900])
  expect(await tries("10.0.0.2", "ada", 3)).toEqual([null, null, 900])
  expect(await tries("10.0.0.3", "ada", 1)).toEqual([900])
  expect(await tries("10.0.0.1", "bob", 3)).toEqual([null, null, null])
  expect(await tries("10.0.0.1", "eve", 3)).toEqual([null, null, 900])
})

it("tries are allowed again after the window; successful ones are forgotten", async () => {
  const { time, limit } = start()
  for (let count = 0; count < 3; count += 1) await limit.take("10.0.0.1", "ada")
  await limit.forgive("10.0.0.1", "ada")
  expect(await limit.take("10.0.0.1", "ada")).toBeNull()
  await limit.take("10.0.0.1", "ada")
  await limit.take("10.0.0.1", "ada")
  time.now += 60_000
  expect(await limit.take("10.0.0.1", "ada")).toBe(840)
  time.now += 840_000
  expect(await limit.take("10.0.0.1", "ada")).toBeNull()
})

it("one person's tries do not use up others' links and codes", async () => {
  const { limit } = start()
  for (let place = 0; place < 50; place += 1)
    for (let count = 0; count < 3; count += 1) await limit.takeAt(`10.0.1.${place}`, "links")
  expect(await limit.takeAt("10.0.1.1", "links")).toBe(900)
  expect(await limit.takeAt("10.0.0.1", "links")).toBeNull()
})

it("a whole office signs in from one address; only failures count", async () => {
  const { limit } = start()
  for (let person = 0; person < 10 * limits.perPlace; person += 1) {
    expect(await limit.take("10.0.0.1", `person ${person}`)).toBeNull()
    await limit.forgive("10.0.0.1", `person ${person}`)
    expect(await limit.takeAt("10.0.0.1", "links")).toBeNull()
    await limit.forgive("10.0.0.1", "links")
  }
  const wrong: (number | null)[] = []
  for (let at = 0; at <= limits.perPlace; at += 1) wrong.push(await limit.take("10.0.0.1", `guess ${at}`))
  expect(wrong).toEqual([...Array.from({ length: limits.perPlace }, () => null), 900])
  // A successful try gives back only itself.
  await limit.forgive("10.0.0.1", "guess 0")
  expect([await limit.take("10.0.0.1", "x"), await limit.take("10.0.0.1", "y")]).toEqual([null, 900])
})

it("an IPv6 /64 counts as one place", async () => {
  const { limit } = start()
  for (let host = 1; host <= 3; host += 1) expect(await limit.take(`2001:db8::${host}:0:0:1`, "ada")).toBeNull()
  expect(await limit.take("2001:db8::99", "ada")).toBe(900)
  expect(await limit.take("2001:db8:0:8::99", "ada")).toBeNull()
})

it("refused tries take no more memory, however many names are used", async () => {
  const counters: ReturnType<typeof createTryCounter>[] = []
  const limit = createSignInLimit(limits, (_, options) => {
    const counter = createTryCounter({ ...options, keys: 50_000, clock: () => 0 })
    counters.push(counter)
    return counter
  })
  for (let name = 0; name < 1_000; name += 1) await limit.take("10.0.0.1", `name ${name}`)
  expect(counters.reduce((sum, { size }) => sum + size, 0)).toBe(2 * limits.perPlace + 1)
})

it("a counter of tries drops expired names first, then the oldest", () => {
  let now = 0
  const counter = createTryCounter({ most: 1, windowMs: 1_000, keys: 3, clock: () => now })
  counter.take("a")
  now = 500
  for (const key of ["b", "c", "d"]) counter.take(key)
  expect([counter.size, counter.take("b"), counter.take("d")]).toEqual([3, 1, 1])
  now = 1_600
  counter.take("e")
  expect([counter.size, counter.take("e")]).toEqual([1, 1])
})
