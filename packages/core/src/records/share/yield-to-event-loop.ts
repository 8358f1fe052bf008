import { setImmediate as nextTurn } from "node:timers/promises"

/** The event loop is held no longer than this while rows are scanned (ms). */
const longestMs = 8

/** Gives the event loop to others once the work has held it for `longestMs`. */
export function createYield(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < longestMs) return
    await nextTurn()
    since = performance.now()
  }
}
