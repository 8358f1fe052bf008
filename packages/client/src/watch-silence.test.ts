import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { usualSilence, watchSilence } from "./watch-silence.ts"

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const minute = 60_000

it("a silent service is reported once, within 15 s", () => {
  const silentAfter: number[] = []
  const start = Date.now()
  watchSilence(usualSilence, () => silentAfter.push(Date.now() - start))
  vi.advanceTimersByTime(10 * minute)
  expect(silentAfter).toHaveLength(1)
  expect(silentAfter[0]).toBeLessThanOrEqual(15_000)
})

it("a ping every 5 s keeps the connection alive", () => {
  const onSilent = vi.fn()
  const watch = watchSilence(usualSilence, onSilent)
  const pings = setInterval(watch.received, 5_000)
  vi.advanceTimersByTime(30 * minute)
  expect(onSilent).not.toHaveBeenCalled()
  clearInterval(pings)
  watch.stop()
  vi.advanceTimersByTime(minute)
  expect(onSilent).not.toHaveBeenCalled()
})

it("the next check after a sleep of the machine reports silence", () => {
  let now = 0
  const onSilent = vi.fn()
  watchSilence({ ...usualSilence, clock: () => now }, onSilent)
  // Timers stood still while the clock went on, as after a sleep.
  now += 20 * minute
  vi.advanceTimersByTime(usualSilence.lookEveryMs)
  expect(onSilent).toHaveBeenCalledTimes(1)
})

it("a hidden page that is shown again is checked at once", () => {
  const page = new EventTarget()
  let now = 0
  const onSilent = vi.fn()
  watchSilence({ ...usualSilence, clock: () => now, page }, onSilent)
  page.dispatchEvent(new Event("visibilitychange"))
  expect(onSilent).not.toHaveBeenCalled()
  now += minute
  page.dispatchEvent(new Event("visibilitychange"))
  page.dispatchEvent(new Event("pageshow"))
  expect(onSilent).toHaveBeenCalledTimes(1)
})
