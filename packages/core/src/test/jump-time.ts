import { onTestFinished, vi } from "vitest"

/**
 * For parts that take no timers of the test: `setTimeout` goes on as ever until the end of the test, and what this
 * answers with lets so many ms pass at once. Limits of time are then reached when a test is there, on any machine.
 */
export function jumpTime(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  return (ms) => void vi.advanceTimersByTime(ms)
}
