import { createPageReader } from "@docket/core/read-page"
import type { Measurement } from "./measurement.ts"
import { median } from "./median.ts"

const rounds = 3
const sections = Array.from(
  { length: 7_300 },
  (_, index) =>
    `<h2>Item ${index}</h2><p>Some <code>text</code> number ${index} with <a href="/x/${index}">a link</a></p>`,
)
const page = `<html><body>${sections.join("")}</body></html>`

/** The cost of turning a page of 660 KB into Markdown, with the thread that starts for it. */
export const webfetchMeasurements: Measurement[] = [
  {
    name: "webfetch-page",
    label: "page of 660 KB read in its thread",
    unit: "ms",
    aim: 2_500,
    opencode: "–",
    inProcess: true,
    measure: () => timed(page),
  },
]

/** The median time in ms of reading the page. */
async function timed(html: string): Promise<number> {
  const pages = createPageReader()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await pages.read(html, "markdown", new AbortController().signal)
    times.push(performance.now() - start)
  }
  return median(times)
}
