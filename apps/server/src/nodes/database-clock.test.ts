import { expect, test } from "vitest"
import { createDatabaseClock } from "./database-clock.ts"

test("the clock follows the database, from the middle of each answer", async () => {
  let elapsed = 500
  const clock = createDatabaseClock(() => elapsed)
  const ask = (now: number, takes: number) =>
    clock.ask(async () => {
      elapsed += takes
      return { now, nodes: [] }
    })
  expect(await ask(1_000_000, 20)).toEqual({ now: 1_000_000, nodes: [] })
  expect(clock.now()).toBe(1_000_010)
  elapsed += 3_000
  expect(clock.now()).toBe(1_003_010)
  await ask(1_003_500, 0)
  expect(clock.now()).toBe(1_003_500)
})

test("a failed question changes nothing", async () => {
  const clock = createDatabaseClock(() => 7)
  await clock.ask(async () => ({ now: 1_000 }))
  await expect(clock.ask(() => Promise.reject(new Error("away")))).rejects.toThrow("away")
  expect(clock.now()).toBe(1_000)
})
