import { createManualTime } from "@docket/core/test/manual-time"
import { expect, test } from "vitest"
import { createCallTime } from "./call-time.ts"

function start() {
  const { clock, pass, timers, waiting } = createManualTime()
  const over: string[] = []
  const call = createCallTime({ timers, now: clock }, { silentMs: 10, totalMs: 30 }, (limit) => over.push(limit))
  return { pass, waiting, over, call }
}

test("a call that is silent is over", async () => {
  const { pass, over, waiting } = start()
  await pass(9)
  expect(over).toEqual([])
  await pass(1)
  expect(over).toEqual(["silentMs"])
  expect(waiting()).toBe(0)
})

test("progress without an end does not prolong a call for ever", async () => {
  const { call, pass, over } = start()
  for (let at = 0; at < 10; at++) {
    call.heard()
    await pass(5)
  }
  expect(over[0]).toBe("totalMs")
})

test("the time while a person is asked counts for neither limit", async () => {
  const { call, pass, over } = start()
  await pass(8)
  const release = call.hold()
  const other = call.hold()
  await pass(1_000)
  other()
  await pass(1_000)
  release()
  await pass(9)
  call.heard()
  await pass(9)
  call.heard()
  expect(over).toEqual([])
  await pass(4)
  expect(over).toEqual(["totalMs"])
})

test("a call that ended is over for no reason later", async () => {
  const { call, pass, over, waiting } = start()
  const release = call.hold()
  call.stop()
  release()
  await pass(1_000)
  expect([over, waiting()]).toEqual([[], 0])
})
