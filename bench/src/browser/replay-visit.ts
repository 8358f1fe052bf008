import { z } from "zod"
import type { Site } from "./open-site.ts"
import type { Visit } from "./visit.ts"

/** Times of a replay. All in ms. */
export interface Replayed {
  /** From the navigation until there are rows above the time bar. */
  opened: number
  /**
   * From a move of the bar until the rows of that time are shown, including the pause that waits for the reader to
   * stop.
   */
  sought: number
  /** The longest frame meanwhile. */
  longest: number
}

/** A move of the bar fails if it shows nothing within this time. */
const longestMs = 30_000
const slider = 'input[type="range"][aria-label="Time of the session"]'

/**
 * Moves the bar to the first third of its range and waits for the rows of that time, which have step numbers near
 * 167 of 500, so all below 300. A string, because these files are type-checked without the DOM.
 */
const seek = `new Promise((resolve) => {
  const bar = document.querySelector(${JSON.stringify(slider)})
  const began = performance.now()
  let before = began
  let longest = 0
  const look = (now) => {
    longest = Math.max(longest, now - before)
    before = now
    const steps = [...document.querySelectorAll("[role=feed] article")].flatMap((it) =>
      [...it.textContent.matchAll(/Step (\\d+):/g)].map(([, number]) => Number(number)))
    if (steps.length > 0 && Math.max(...steps) < 300) resolve({ sought: now - began, longest })
    else if (now - began > ${longestMs}) resolve(null)
    else requestAnimationFrame(look)
  }
  // By the setter of the prototype, because React replaces the one of the element and would not see the change.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(bar, String(bar.max / 3))
  bar.dispatchEvent(new Event("input", { bubbles: true }))
  requestAnimationFrame(look)
})`

const Sought = z.object({ sought: z.number(), longest: z.number() }, { error: "no rows of that time came" })

export async function replayOnce(open: () => Promise<Visit>, site: Site): Promise<Replayed> {
  const visit = await open()
  const { page } = visit
  await page.goto(site.url + site.replay, { waitUntil: "commit" })
  await page.locator(slider).waitFor()
  await page.locator("[role=feed] article").first().waitFor()
  const opened = z.number().parse(await page.evaluate("performance.now()"))
  await visit.rest()
  const { sought, longest } = Sought.parse(await page.evaluate(seek))
  await visit.close()
  return { opened, sought, longest }
}
