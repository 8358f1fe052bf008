import { expect, test } from "vitest"
import { createTurnSlots } from "./turn-slots.ts"

/** Work that starts, and ends on command. */
function setUp(limit: { now: number | null }) {
  const slots = createTurnSlots(() => limit.now)
  const begun: string[] = []
  const add = (name: string, signal = new AbortController().signal) => {
    const end = Promise.withResolvers<void>()
    const done = slots.run(signal, () => {
      begun.push(name)
      return end.promise
    })
    return { end: end.resolve, done }
  }
  return { begun, add }
}

test("turns run at once up to the limit, others later in order", async () => {
  const { begun, add } = setUp({ now: 2 })
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => add(name))
  await Promise.resolve()
  expect(begun).toEqual(["a", "b"])
  b?.end()
  await b?.done
  await Promise.resolve()
  expect(begun).toEqual(["a", "b", "c"])
  for (const one of [a, c, d]) one?.end()
  await Promise.all([a?.done, c?.done, d?.done])
  expect(begun).toEqual(["a", "b", "c", "d"])
})

test("lifting the limit starts all waiting work at the next end", async () => {
  const limit: { now: number | null } = { now: 1 }
  const { begun, add } = setUp(limit)
  const [a, b, c] = ["a", "b", "c"].map((name) => add(name))
  await Promise.resolve()
  limit.now = null
  a?.end()
  await a?.done
  await Promise.resolve()
  expect(begun).toEqual(["a", "b", "c"])
  for (const one of [b, c]) one?.end()
  await Promise.all([b?.done, c?.done])
})

test("a stopped waiter continues at once and takes no slot", async () => {
  const { begun, add } = setUp({ now: 1 })
  const stop = new AbortController()
  const [a, b] = [add("a"), add("b", stop.signal)]
  const c = add("c")
  stop.abort()
  await Promise.resolve()
  await Promise.resolve()
  expect(begun).toEqual(["a", "b"])
  b.end()
  await b.done
  await Promise.resolve()
  expect(begun).toEqual(["a", "b"])
  a.end()
  await a.done
  await Promise.resolve()
  expect(begun).toEqual(["a", "b", "c"])
  c.end()
  await c.done
})
