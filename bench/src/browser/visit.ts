import { type Browser, type CDPSession, chromium, type Page } from "@playwright/test"
import { z } from "zod"
import type { Conditions } from "./conditions.ts"
import type { Site } from "./open-site.ts"
import { probe, Seen } from "./probe.ts"

/** A page counts as quiet after this time without activity (ms). */
const settleMs = 1_500

/** A browser tab with an empty cache. */
export interface Visit {
  page: Page
  session: CDPSession
  /** Opens an address and waits for its first rows; if the address names a part, for the row of that part. */
  open(address: string): Promise<Seen>
  /** Waits until the page is quiet. */
  rest(): Promise<void>
  close(): Promise<void>
}

export function launchBrowser(options: { port?: number } = {}): Promise<Browser> {
  const debugging = options.port === undefined ? [] : [`--remote-debugging-port=${options.port}`]
  return chromium.launch({
    executablePath: chromiumPath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", ...debugging],
  })
}

const chromiumPath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium"

export async function openVisit(browser: Browser, site: Site, conditions: Conditions): Promise<Visit> {
  const { extraHTTPHeaders, ...options } = conditions.context
  const context = await browser.newContext({ ...options, extraHTTPHeaders: { ...extraHTTPHeaders } })
  await context.addCookies(cookiesOf(site))
  await context.addInitScript(probe)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await conditions.apply(session)
  const rest = () => page.waitForTimeout(settleMs)
  return {
    page,
    session,
    rest,
    async open(address) {
      await page.goto(site.url + address, { waitUntil: "commit" })
      await page.locator("[role=feed] article").first().waitFor()
      if (address.includes("part=")) await page.locator("article[data-linked=true]").first().waitFor()
      // The server-rendered rows, which are not interactive yet.
      await page.locator("[data-first]").waitFor({ state: "detached" })
      await rest()
      return Seen.parse(await page.evaluate("window.__seen"))
    },
    close: () => context.close(),
  }
}

export function cookiesOf({ cookie, url }: Site): { name: string; value: string; url: string }[] {
  return cookie.split("; ").map((pair) => {
    const at = pair.indexOf("=")
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url }
  })
}

/** The cost of scrolling through a transcript. */
export interface Scrolled {
  /** ms, over all frames while scrolling */
  mean: number
  longest: number
  /** Processor time of the page's main thread (ms per frame). */
  processor: number
  /** The most elements that the page had after a swipe. */
  elements: number
}

const swipes = 6

/** Swipes up through a transcript, including rows that have to be loaded first. */
export async function scrollUp({ page, session }: Visit): Promise<Scrolled> {
  // Thread time, not wall time, so that other programs on a busy machine have no influence.
  await session.send("Performance.enable", { timeDomain: "threadTicks" })
  const before = await processorTime(session)
  await page.evaluate("window.__frames = []")
  let elements = 0
  const at = await middleOfRows(page)
  for (let swipe = 0; swipe < swipes; swipe++) {
    await session.send("Input.synthesizeScrollGesture", {
      ...at,
      yDistance: 1_600,
      speed: 2_000,
      gestureSourceType: "touch",
    })
    elements = Math.max(elements, Number(await page.evaluate("document.querySelectorAll('*').length")))
  }
  const frames = z.array(z.number()).parse(await page.evaluate("window.__frames"))
  const processor = ((await processorTime(session)) - before) / frames.length
  return {
    mean: frames.reduce((sum, ms) => sum + ms, 0) / frames.length,
    longest: Math.max(...frames),
    processor,
    elements,
  }
}

/** A position on the screen at which a swipe scrolls the rows. */
async function middleOfRows(page: Page): Promise<{ x: number; y: number }> {
  const box = await page.locator(":has(> [role=feed])").first().boundingBox()
  if (box === null) throw new Error("the page shows no rows")
  return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) }
}

async function processorTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics")
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1_000
}

/** Size of all live objects in MiB. */
export async function heapOf({ session }: Visit): Promise<number> {
  await session.send("HeapProfiler.collectGarbage")
  return (await session.send("Runtime.getHeapUsage")).usedSize / 2 ** 20
}
