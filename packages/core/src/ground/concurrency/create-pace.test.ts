import { expect, test } from "vitest"
import { createManualTime } from "../../test/manual-time.ts"
import { createPace } from "./create-pace.ts"

test("what comes too fast waits, and all of it passes in time", async () => {
  const time = createManualTime()
  const pace = createPace(time.timers, 10)
  let passed = 0
  const pass = async (count: number) => {
    await pace(count)
    passed += count
  }
  await pass(10)
  const flood = pass(25)
  await time.pass(2_000)
  expect(passed).toBe(10)
  await time.pass(1_000)
  await flood
  expect(passed).toBe(35)
})

test("who is slow never waits", async () => {
  const time = createManualTime()
  const pace = createPace(time.timers, 10)
  for (let second = 0; second < 5; second++) {
    await pace(9)
    await time.pass(1_000)
  }
  expect(time.waiting()).toBe(0)
})
