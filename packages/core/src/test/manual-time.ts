import { setImmediate as nextTurn } from "node:timers/promises"
import type { Timers } from "../ground/concurrency/timers.ts"

export interface ManualTime {
  clock: () => number
  timers: Timers
  /** Advances the time by `ms`: timers that become due run in order, each with its follow-ups. */
  pass(ms: number): Promise<void>
  /** Number of pending timers. */
  waiting(): number
}

/** A clock with timers that only `pass` advances. */
export function createManualTime(): ManualTime {
  let now = 1_000_000
  const due = new Set<{ at: number; run: () => void }>()
  const after: Timers["after"] = (ms, run) => {
    const call = { at: now + ms, run }
    due.add(call)
    return () => void due.delete(call)
  }
  const every: Timers["every"] = (ms, run) => {
    const again = () => {
      cancel = after(ms, again)
      run()
    }
    let cancel = after(ms, again)
    return () => cancel()
  }
  return {
    clock: () => now,
    timers: { after, every },
    async pass(ms) {
      const end = now + ms
      await nextTurn()
      while (true) {
        const [next] = [...due].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)
        if (next === undefined) break
        due.delete(next)
        now = next.at
        next.run()
        await nextTurn()
      }
      now = end
    },
    waiting: () => due.size,
  }
}
