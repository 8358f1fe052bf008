import { expect, test } from "vitest"
import { createSlots } from "./live-tasks.ts"

test("waiting tasks start in the order of their numbers", async () => {
  const slots = createSlots()
  const started: number[] = []
  const take = (number: number) =>
    slots.take("parent", `task ${number}`, { number, limit: 1 }).then(() => {
      started.push(number)
    })
  const first = take(1)
  const others = [take(3), take(4), take(2)]
  await first
  expect(slots.leave("parent", "task 3")).toBe(true)
  for (const _ of [2, 4]) {
    slots.release("parent")
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all([others[1], others[2]])
  expect(started).toEqual([1, 2, 4])
  expect(slots.isWaiting("parent", "task 4")).toBe(false)
})

test("tasks of one parent do not wait for slots of another", async () => {
  const slots = createSlots()
  await slots.take("one", "a", { number: 1, limit: 1 })
  await slots.take("two", "b", { number: 2, limit: 1 })
  expect(slots.leave("two", "b")).toBe(false)
})
