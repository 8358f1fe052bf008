import { expect, it } from "vitest"
import { createSignInLimit } from "./sign-in-limit.ts"
import { createTryCounter } from "./try-counter.ts"

const limits = { perAccountAndPlace: 3, perAccount: 5, perPlace: 8, minutes: 15 }

function start() {
  const time = { now: 0 }
  return { time, limit: createSignInLimit(limits, () => time.now) }
}

it("sign-in tries are limited per account and place, account, and place", () => {
  const { limit } = start()
  const tries = (address: string, account: string, count: number) =>
    Array.from({ length: count }, () => limit.take(address, account))
  expect(tries("10.0.0.1", "ada", 4)).toEqual([null, null, null, 900])
  expect(tries("10.0.0.2", "ada", 3)).toEqual([null, null, 900])
  expect(tries("10.0.0.3", "ada", 1)).toEqual([900])
  expect(tries("10.0.0.1", "bob", 3)).toEqual([null, null, null])
  expect(tries("10.0.0.1", "eve", 3)).toEqual([null, null, 900])
})

it("tries are allowed again after the window; successful ones are forgotten", () => {
  const { time, limit } = start()
  for (let count = 0; count < 3; count += 1) limit.take("10.0.0.1", "ada")
  limit.forgive("10.0.0.1", "ada")
  expect(limit.take("10.0.0.1", "ada")).toBeNull()
  limit.take("10.0.0.1", "ada")
  limit.take("10.0.0.1", "ada")
  time.now += 60_000
  expect(limit.take("10.0.0.1", "ada")).toBe(840)
  time.now += 840_000
  expect(limit.take("10.0.0.1", "ada")).toBeNull()
})

it("one person's tries do not use up others' links and codes", () => {
  const { limit } = start()
  for (let place = 0; place < 50; place += 1)
    for (let count = 0; count < 3; count += 1) limit.takeAt(`10.0.1.${place}`, "links")
  expect(limit.takeAt("10.0.1.1", "links")).toBe(900)
  expect(limit.takeAt("10.0.0.1", "links")).toBeNull()
})

it("a whole office signs in from one address; only failures count", () => {
  const { limit } = start()
  for (let person = 0; person < 10 * limits.perPlace; person += 1) {
    expect(limit.take("10.0.0.1", `person ${person}`)).toBeNull()
    limit.forgive("10.0.0.1", `person ${person}`)
    expect(limit.takeAt("10.0.0.1", "links")).toBeNull()
    limit.forgive("10.0.0.1", "links")
  }
  const wrong = Array.from({ length: limits.perPlace + 1 }, (_, at) => limit.take("10.0.0.1", `guess ${at}`))
  expect(wrong).toEqual([...Array.from({ length: limits.perPlace }, () => null), 900])
  // A successful try gives back only itself.
  limit.forgive("10.0.0.1", "guess 0")
  expect([limit.take("10.0.0.1", "x"), limit.take("10.0.0.1", "y")]).toEqual([null, 900])
})

it("an IPv6 /64 counts as one place", () => {
  const { limit } = start()
  for (let host = 1; host <= 3; host += 1) expect(limit.take(`2001:db8::${host}:0:0:1`, "ada")).toBeNull()
  expect(limit.take("2001:db8::99", "ada")).toBe(900)
  expect(limit.take("2001:db8:0:8::99", "ada")).toBeNull()
})

it("refused tries take no more memory, however many names are used", () => {
  const { limit } = start()
  for (let name = 0; name < 1_000; name += 1) limit.take("10.0.0.1", `name ${name}`)
  expect(limit.size).toBe(2 * limits.perPlace + 1)
})

it("a counter of tries drops expired names first, then the oldest", () => {
  let now = 0
  const counter = createTryCounter({ most: 1, windowMs: 1_000, keys: 3, clock: () => now })
  counter.add("a")
  now = 500
  for (const key of ["b", "c", "d"]) counter.add(key)
  expect([counter.size, counter.wait("a"), counter.wait("b"), counter.wait("d")]).toEqual([3, null, 1, 1])
  now = 1_600
  counter.add("e")
  expect([counter.size, counter.wait("b"), counter.wait("e")]).toEqual([1, null, 1])
})
