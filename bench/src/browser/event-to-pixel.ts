import { z } from "zod"
import type { Site } from "./open-site.ts"
import type { Visit } from "./visit.ts"

const wordCount = 40
/** Time between two words of the answer. */
const everyMs = 60

/**
 * For each word that carries its sending time, records how late the first frame with it was. A string, because these
 * files are type-checked without the DOM.
 */
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
 * How late the words of a running answer appear on screen (ms), counted from the provider: the service's work before it
 * publishes them is included.
 */
export async function delaysToPixel(open: () => Promise<Visit>, site: Site): Promise<number[]> {
  const visit = await open()
  await visit.open(site.root)
  await visit.page.evaluate(watch)
  await site.turn({ chunks: wordCount, every: everyMs })
  await visit.rest()
  const delays = z.array(z.number()).parse(await visit.page.evaluate("[...window.__delays.values()]"))
  await visit.close()
  if (delays.length < wordCount / 2) throw new Error(`only ${delays.length} of ${wordCount} words were seen on screen`)
  return delays
}
