import { expect, test } from "vitest"
import { createRepeated } from "./repeated.ts"
import type { Timers } from "./timers.ts"

const noTicks: Timers = { after: () => () => {}, every: () => () => {} }

/** Lets others work for that many microtasks. */
async function microtasks(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed++) await Promise.resolve()
}

test("a start is never lost, whenever it comes", async () => {
  const lost: number[] = []
  for (let moment = 0; moment < 20; moment++) {
    let begun = 0
    const repeated = createRepeated({ ms: 1_000, timers: noTicks, onError: expect.fail }, async () => {
      begun += 1
      await microtasks(3)
    })
    repeated.start()
    await microtasks(moment)
    repeated.start()
    await new Promise(setImmediate)
    if (begun !== 2) lost.push(moment)
    await repeated.stop()
  }
  expect(lost).toEqual([])
})

test("nothing begins after a stop", async () => {
  let begun = 0
  const repeated = createRepeated({ ms: 1_000, timers: noTicks, onError: expect.fail }, async () => {
    begun += 1
    await microtasks(3)
  })
  repeated.start()
  repeated.start()
  await repeated.stop()
  await new Promise(setImmediate)
  expect(begun).toBe(1)
})
