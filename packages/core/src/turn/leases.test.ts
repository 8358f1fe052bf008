import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { createLeases } from "./leases.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test("leases are renewed well before they are over, all together, and no longer than they are held", () => {
  const leases = createLeases({ clock: Date.now, shared: { runner: "one", leaseMs: 900 } })
  const renewed: number[] = []
  const release = leases.hold(({ until }) => renewed.push(until - Date.now()))
  vi.advanceTimersByTime(900)
  expect(renewed).toEqual([900, 900, 900])
  release()
  expect(vi.getTimerCount()).toBe(0)
})

test("the only runtime of a store renews nothing: its turns cost no further writes", () => {
  const leases = createLeases({ clock: Date.now })
  leases.hold(() => expect.unreachable())
  vi.advanceTimersByTime(3_600_000)
  expect(vi.getTimerCount()).toBe(0)
})
