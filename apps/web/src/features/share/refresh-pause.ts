/** Minimum pause between two renders of a page while the work goes on (ms). */
const usualMs = 1_000
/** Pause for each viewer, which limits the load of many viewers on the server (ms). */
const perReaderMs = 50

/** Pause before a page requests itself again (ms). It grows with the number of viewers. */
export function refreshPause(readers: number): number {
  return Math.max(usualMs, readers * perReaderMs)
}
