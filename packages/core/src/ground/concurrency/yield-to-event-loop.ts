import { setImmediate as nextTurn } from "node:timers/promises"

/** Longest time that a piece of work blocks the event loop (ms). */
const longestMs = 8

/** Lets other work run once the event loop has been blocked for `longestMs`. */
export function createYield(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < longestMs) return
    await nextTurn()
    since = performance.now()
  }
}
