import { expect, it } from "vitest"
import { createBus } from "../../ground/event/bus.ts"
import { noFollower } from "../../ground/event/follow-trees.ts"
import { noRelay } from "../../ground/event/relay.ts"
import { createManualTime } from "../../test/manual-time.ts"
import { watchShare } from "./watch-share.ts"

function setUp(readers = 1) {
  const { clock, timers, pass, waiting } = createManualTime()
  const onError = (error: unknown) => {
    throw error
  }
  const bus = createBus(onError)
  const looks: number[] = []
  const start = clock()
  const run = async () => void looks.push(clock() - start)
  const stop = watchShare({ bus, follower: noFollower, relay: noRelay, timers, onError }, "ses_1", {
    readers: () => readers,
    run,
  })
  const change = (rootID = "ses_1") => bus.doubt(rootID)
  /** Makes a change every five ms, for this long. */
  const work = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 5) {
      change()
      await pass(5)
    }
  }
  return { looks, change, work, stop, pass, waiting }
}

it("checks a tree once after its changes have paused", async () => {
  const { looks, change, work, pass } = setUp()
  change("ses_2")
  await pass(100)
  expect(looks).toEqual([])
  await work(20)
  await pass(1_000)
  // 100 ms for the other tree, 20 ms of changes and 10 ms without one.
  expect(looks).toEqual([130])
})

it("checks a busy tree now and then, and once more at rest", async () => {
  const { looks, work, pass } = setUp()
  await work(1_000)
  expect(looks.length).toBeGreaterThanOrEqual(6)
  expect(looks.length).toBeLessThanOrEqual(10)
  await pass(1_000)
  expect(looks.at(-1)).toBeGreaterThanOrEqual(1_000)
})

it("sends larger batches with more readers, within a fifth of a second", async () => {
  const [few, many] = [setUp(), setUp(10_000)]
  for (const each of [few, many]) await each.work(3_000)
  expect(many.looks.length).toBeLessThan(few.looks.length)
  for (const { looks } of [few, many])
    for (const [nth, at] of looks.entries()) expect(at - (looks[nth - 1] ?? 0)).toBeLessThanOrEqual(200)
})

it("does nothing after it is stopped", async () => {
  const { looks, change, stop, pass, waiting } = setUp()
  change()
  stop()
  change()
  await pass(1_000)
  expect(looks).toEqual([])
  expect(waiting()).toBe(0)
})
