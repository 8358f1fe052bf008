import { setImmediate as nextTurn } from "node:timers/promises"

/** The event loop is held no longer than this while rows are scanned (ms). */
const breathMs = 8

/** Lets others work after each `breathMs`. */
export function breather(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < breathMs) return
    await nextTurn()
    since = performance.now()
  }
}
