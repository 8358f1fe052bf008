import { execFile } from "node:child_process"
import { promisify } from "node:util"
import type { Browser } from "@playwright/test"
import { z } from "zod"
import type { Measurement, Stage } from "../measurement.ts"
import { median } from "../median.ts"
import { onceAStage } from "../once-a-stage.ts"
import { freePort } from "../workplace.ts"
import { openSite, type Site } from "./open-site.ts"
import { cookiesOf, launchBrowser } from "./visit.ts"

const runs = 3
const conditions = `Lighthouse's own mobile profile (412 × 823, processor ÷ 4, 1.6 Mb/s and 150 ms simulated), points that are missing of 100, medians of ${runs}`

const categories = ["performance", "accessibility", "best-practices"] as const
type Category = (typeof categories)[number]
type Scores = Record<Category, number>

/** The pages that are scored, and how many points may be missing from a performance score of 100. */
const pages = {
  share: { label: "share page", slack: 5 },
  inbox: { label: "inbox", slack: 15 },
  child: { label: "session of one task", slack: 15 },
  root: { label: "session of 5,000 parts", slack: 15 },
} as const
type Page = keyof typeof pages
const pageNames = Object.keys(pages) as Page[] // a record's keys

/** Lighthouse scores of a shared transcript and of the pages where people work. They need the built web app. */
export const lighthouseMeasurements: Measurement[] = pageNames.flatMap((page) => [
  row(page, "performance", pages[page].slack),
  row(page, "accessibility", 0),
  row(page, "best-practices", 0),
])

function row(page: Page, category: Category, aim: number): Measurement {
  const label = `Lighthouse, ${pages[page].label}: ${category.replace("-", " ")} short of 100`
  const measure = async (stage: Stage) => 100 - (await scores(stage))[page][category]
  return { name: "lighthouse", label, unit: "", aim, opencode: "–", onlyByName: true, conditions, measure }
}

/** All numbers come from the same runs. */
const scores = onceAStage(judge)

async function judge(stage: Stage): Promise<Record<Page, Scores>> {
  const site = await openSite(stage)
  const port = await freePort()
  const browser = await launchBrowser({ port })
  try {
    const all = {} as Record<Page, Scores> // filled right here
    for (const page of pageNames) all[page] = await judgePage({ site, browser, port }, site[page])
    return all
  } finally {
    await browser.close()
    await site.close()
  }
}

interface Judged {
  site: Site
  browser: Browser
  /** The debugging port of the browser. */
  port: number
}

async function judgePage(judged: Judged, address: string): Promise<Scores> {
  const all: Scores[] = []
  for (let run = 0; run < runs; run++) all.push(await judgeOnce(judged, address, run === 0))
  const middle = (category: Category) => median(all.map((one) => one[category]))
  return {
    performance: middle("performance"),
    accessibility: middle("accessibility"),
    "best-practices": middle("best-practices"),
  }
}

async function judgeOnce({ site, browser, port }: Judged, address: string, tell: boolean): Promise<Scores> {
  // Cookies are lost with the last page of a browser, and Lighthouse closes its own page.
  const session = await browser.newBrowserCDPSession()
  await session.send("Storage.setCookies", { cookies: cookiesOf(site) })
  // The header makes the service treat Lighthouse as a remote reader.
  const report = await runLighthouse(site.url + address, { port, headers: { "x-forwarded-for": "203.0.113.7" } })
  if (report.runtimeError) throw new Error(`${address}: ${report.runtimeError.message}`)
  // If the page had redirected, e.g. to the login, that page would be scored instead.
  const shown = new URL(report.finalDisplayedUrl).pathname
  if (shown !== address) throw new Error(`${address} led to ${shown}`)
  if (tell) tellFindings(report)
  const score = (category: Category) => Math.round((report.categories[category].score ?? 0) * 100)
  return {
    performance: score("performance"),
    accessibility: score("accessibility"),
    "best-practices": score("best-practices"),
  }
}

/** Downloaded when it is needed: it has 160 MB that nothing else uses. */
const lighthouse = "lighthouse@13.5.0"
const maxReport = 64 * 2 ** 20

const Score = z.number().nullable()
const Row = z.record(z.string(), z.unknown())
const Report = z.object({
  finalDisplayedUrl: z.string(),
  runtimeError: z.object({ message: z.string() }).optional(),
  categories: z.record(z.enum(categories), z.object({ score: Score })),
  audits: z.record(
    z.string(),
    z.object({
      id: z.string(),
      score: Score,
      displayValue: z.string().optional(),
      // The items differ for each audit: only tables have rows.
      details: z.object({ type: z.string(), items: z.unknown().optional() }).optional(),
    }),
  ),
})
type Report = z.infer<typeof Report>

async function runLighthouse(
  url: string,
  { port, headers }: { port: number; headers: Record<string, string> },
): Promise<Report> {
  const args = ["--yes", lighthouse, url, `--port=${port}`, `--only-categories=${categories.join(",")}`]
  const output = [`--extra-headers=${JSON.stringify(headers)}`, "--output=json", "--output-path=stdout", "--quiet"]
  const { stdout } = await promisify(execFile)("npx", [...args, ...output], { maxBuffer: maxReport })
  return Report.parse(JSON.parse(stdout))
}

/** Prints what costs points, or would save time or bytes, and where. */
function tellFindings({ finalDisplayedUrl, audits }: Report): void {
  process.stderr.write(`  ${finalDisplayedUrl.replace(/^https?:\/\/[^/]+/, "")}\n`)
  for (const { id, score, displayValue, details } of Object.values(audits)) {
    if (score === null || score >= 0.9) continue
    process.stderr.write(`  ${Math.round(score * 100)} ${id}${displayValue ? `: ${displayValue}` : ""}\n`)
    const items = details?.type === "table" ? z.array(Row).parse(details.items).slice(0, 3) : []
    for (const item of items) process.stderr.write(`     ${JSON.stringify(placeOf(item))}\n`)
  }
}

/** The selector of an element; anything else unchanged. */
function placeOf(item: Record<string, unknown>): unknown {
  const { node } = item
  return typeof node === "object" && node !== null && "selector" in node ? node.selector : item
}
