import { expect, test } from "vitest"
import { createLateWaits, lateText } from "./late-waits.ts"
import type { Timers } from "./timers.ts"

/** Waits of a turn with a clock that the test moves. */
function watched() {
  let now = 0
  const timers: { ms: number; run: () => void }[] = []
  const cancelled: number[] = []
  const told: string[] = []
  const injected: Timers = {
    after: () => expect.fail("a timer for each wait"),
    every(ms, run) {
      timers.push({ ms, run })
      return () => void cancelled.push(ms)
    },
  }
  const waits = createLateWaits({
    clock: () => now,
    timers: injected,
    onLate: (late) => void told.push(lateText(late)),
  })
  const pass = (ms: number) => {
    for (const end = now + ms; now < end; ) {
      now += 10_000
      for (const { run } of timers) run()
    }
  }
  return { waits, timers, cancelled, told, pass }
}

test("what is late is told once, the outer wait first", () => {
  const { waits, told, pass } = watched()
  const call = waits.begin("the tool bash")
  const leave = waits.begin("a permission (bash)")
  pass(20_000)
  expect(told).toEqual([])
  pass(60_000)
  expect(told).toEqual(["the tool bash (30 s), a permission (bash) (30 s)"])
  leave.end()
  waits.begin("the database")
  pass(30_000)
  call.end()
  expect(told).toEqual(["the tool bash (30 s), a permission (bash) (30 s)", "the database (30 s)"])
})

test("progress begins the time anew, and an ended wait is not late", async () => {
  const { waits, told, pass } = watched()
  const model = waits.begin("the model")
  for (let piece = 0; piece < 10; piece++) {
    pass(20_000)
    model.moved()
  }
  await waits.during("a hook", async () => pass(20_000))
  await expect(waits.during("a failure", () => Promise.reject(new Error("no")))).rejects.toThrow("no")
  model.end()
  pass(60_000)
  expect(told).toEqual([])
})

test("a turn has one timer, and none afterwards", () => {
  const { waits, timers, cancelled, told, pass } = watched()
  for (let count = 0; count < 1_000; count++) waits.begin(`wait ${count}`)
  expect(timers.length).toBe(1)
  waits.close()
  expect(cancelled).toEqual([10_000])
  pass(60_000)
  expect(told).toEqual([])
})
