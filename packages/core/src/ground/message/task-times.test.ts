import { expect, test } from "vitest"
import type { TaskSummary } from "../schema/index.ts"
import { type Counter, taskTimes } from "./task-times.ts"

// Only the fields that `taskTimes` reads.
const task = (time: Partial<TaskSummary["time"]>, waited?: Counter) =>
  ({ time: { created: 100, started: null, ended: null, ...time }, ...(waited && { waited }) }) as TaskSummary
const at = (counter: Counter | null, now: number) =>
  counter && counter.ms + (counter.since === null ? 0 : now - counter.since)
const times = (value: TaskSummary, now: number) => {
  const { waited, worked } = taskTimes(value)
  return [at(waited, now), at(worked, now)]
}

test("a task waits for its slot and answers, and works otherwise", () => {
  expect(times(task({}), 150)).toEqual([50, null])
  expect(times(task({ ended: 130 }), 900)).toEqual([30, null])
  expect(times(task({ started: 120 }), 150)).toEqual([20, 30])
  const asking = task({ started: 120 }, { ms: 10, since: 160 })
  expect(times(asking, 200)).toEqual([20 + 10 + 40, 30])
  const answered = task({ started: 120 }, { ms: 50, since: null })
  expect(times(answered, 200)).toEqual([70, 30])
  expect(times(task({ started: 120, ended: 200 }, { ms: 50, since: null }), 900)).toEqual([70, 30])
  expect(times(task({ started: 120, ended: 200 }, { ms: 10, since: 160 }), 900)).toEqual([70, 30])
})
