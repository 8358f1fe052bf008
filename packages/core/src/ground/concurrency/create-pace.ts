import type { Timers } from "./timers.ts"

/** Lets so many things pass in a second; resolves when further ones may. */
export type Pace = (count: number) => Promise<void>

/** A pace that keeps one talker from taking all the time of the service: what comes too fast waits where it comes from. */
export function createPace({ after }: Pick<Timers, "after">, mostPerSecond: number): Pace {
  let left = mostPerSecond
  let refilling: Promise<void> | null = null
  const refill = () => {
    refilling ??= new Promise<void>((resolve) => {
      after(1_000, () => {
        left = Math.min(mostPerSecond, left + mostPerSecond)
        refilling = null
        resolve()
      })
    })
    return refilling
  }
  return async (count) => {
    left -= count
    while (left < 0) await refill()
    // What was used comes back even where nobody waits for it.
    if (left < mostPerSecond) void refill()
  }
}
