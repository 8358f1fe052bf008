import { z } from "zod"

/** What a page recorded about itself. Times are milliseconds since the navigation began. */
export const Seen = z.object({
  /** When the first row of the transcript was in a frame. */
  rows: z.number().nullable(),
  /** When the interactive rows had replaced the ones that the server rendered. */
  live: z.number().nullable(),
  /** When the row of the part in the address was on screen. */
  linked: z.number().nullable(),
  /** End of the last task that blocked the page for more than 50 ms. */
  lastLongTask: z.number(),
  /** Sum of all layout shifts that were not caused by input: an upper bound of CLS. */
  shift: z.number(),
})
export type Seen = z.infer<typeof Seen>

/** Runs before the page's own code. A string, because these files are type-checked without the DOM. */
export const probe = `(() => {
  const seen = { rows: null, live: null, linked: null, lastLongTask: 0, shift: 0 }
  window.__seen = seen
  window.__frames = null
  const observe = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  observe("longtask", (it) => { seen.lastLongTask = it.startTime + it.duration })
  observe("layout-shift", (it) => { if (!it.hadRecentInput) seen.shift += it.value })
  let before = 0
  const look = (now) => {
    if (seen.rows === null && document.querySelector("[role=feed] article") !== null) seen.rows = now
    if (seen.live === null && seen.rows !== null && document.querySelector("[data-first]") === null) seen.live = now
    if (seen.linked === null) {
      const at = document.querySelector("article[data-linked=true]")?.getBoundingClientRect()
      if (at && at.top < innerHeight && at.bottom > 0) seen.linked = now
    }
    window.__frames?.push(now - before)
    before = now
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})()`
