import { z } from "zod"
import type { Site } from "./open-site.ts"
import type { Visit } from "./visit.ts"

const words = 40
const everyMs = 60

/** Notes for each word that says when it was sent how late the first frame with it was. A text, as `probe` is. */
const watch = `(() => {
  const seen = new Map()
  window.__delays = seen
  const look = (now) => {
    for (const row of [...document.querySelectorAll("[role=feed] article")].slice(-3))
      for (const [word, at] of row.textContent.matchAll(/sent:(\\d{13})/g))
        if (!seen.has(word)) seen.set(word, performance.timeOrigin + now - Number(at))
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})()`

/**
 * How late words of a running answer are on screen (ms), from when the provider sent each: what the service does before it
 * publishes them is part of it.
 */
export async function delaysToPixel(open: () => Promise<Visit>, site: Site): Promise<number[]> {
  const visit = await open()
  await visit.open(site.root)
  await visit.page.evaluate(watch)
  await site.turn({ chunks: words, every: everyMs })
  await visit.rest()
  const delays = z.array(z.number()).parse(await visit.page.evaluate("[...window.__delays.values()]"))
  await visit.close()
  if (delays.length < words / 2) throw new Error(`only ${delays.length} of ${words} words were seen on screen`)
  return delays
}
