/** A page is rendered again at most this often while the work goes on (ms). */
const usualMs = 1_000
/** What the pages of many readers may take of the service together, as a share of one page for each of them (ms). */
const perReaderMs = 50

/** How long a page waits before it asks for itself again (ms): the more who look, the longer. */
export function refreshPause(readers: number): number {
  return Math.max(usualMs, readers * perReaderMs)
}
