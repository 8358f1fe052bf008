import { onTestFinished, vi } from "vitest"

/**
 * For code that does not accept injected timers: `setTimeout` works normally until the end of the test, but the
 * returned function advances it by `ms` at once. So a test reaches time limits on any machine.
 */
export function jumpTime(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  return (ms) => void vi.advanceTimersByTime(ms)
}
