import type { Browser, BrowserContext, CDPSession, Page } from "@playwright/test"
import { startCuttableNetwork } from "./cuttable-network.ts"
import type { Faults } from "./faults.ts"
import { countElements, type RowSamples, takeSamples, watchRows } from "./row-watch.ts"

/** A simulated user with their own screen. */
export interface Reader {
  name: string
  page: Page
  /** A phone: touch instead of a wheel, sheets instead of rails. */
  touch: boolean
  /** Network errors are expected until `until` settles. */
  expectNetworkErrors(until: Promise<unknown>): Promise<void>
  /** Scrolls the transcript like a user; up is negative (px). */
  scroll(pixels: number): Promise<void>
  offline(is: boolean): Promise<void>
  /** Reads and resets the page's measurements of its rows and memory. */
  measure(): Promise<Figures>
  close(): Promise<void>
}

export interface Figures {
  rows: RowSamples
  elements: number
  /** After a garbage collection (bytes). */
  heap: number
}

export interface Screen {
  name: string
  width: number
  height: number
  colorScheme: "light" | "dark"
  touch: boolean
}

type State = Awaited<ReturnType<BrowserContext["storageState"]>>

/** After the network is back, pending requests still fail for a moment (ms). */
const errorsContinue = 20_000
const ofNetwork = /Failed to load resource|net::ERR|NetworkError|Failed to fetch|ERR_/

export async function openReader(
  { browser, server, storageState, faults }: { browser: Browser; server: string; storageState: State; faults: Faults },
  { name, width, height, colorScheme, touch }: Screen,
): Promise<Reader> {
  const network = await startCuttableNetwork(server)
  const context = await browser.newContext({
    viewport: { width, height },
    proxy: network.proxy,
    colorScheme,
    storageState,
    ...(touch && { isMobile: true, hasTouch: true }),
  })
  await context.addInitScript({ content: watchRows })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const chromium = await context.newCDPSession(page)
  let expecting = 0
  page.on("pageerror", (error) => faults.add(name, `error of the page: ${error.stack ?? error.message}`))
  page.on("console", (message) => {
    if (message.type() !== "error" || (expecting > 0 && ofNetwork.test(message.text()))) return
    faults.add(name, `error in the console: ${message.text().slice(0, 500)} (${message.location().url})`)
  })
  return {
    name,
    page,
    touch,
    async expectNetworkErrors(until) {
      expecting += 1
      await until.finally(() => setTimeout(() => (expecting -= 1), errorsContinue).unref())
    },
    scroll: (pixels) => scroll({ page, chromium, touch }, pixels),
    offline: async (is) => {
      if (is) network.cut()
      else network.mend()
      await context.setOffline(is)
    },
    measure: async () => ({
      rows: await takeSamples(page),
      elements: await countElements(page),
      heap: await usedHeap(chromium),
    }),
    close: async () => {
      await context.close()
      await network.close()
    },
  }
}

async function scroll(
  { page, chromium, touch }: { page: Page; chromium: CDPSession; touch: boolean },
  pixels: number,
): Promise<void> {
  let box = await page.getByRole("feed").locator("..").boundingBox()
  // The server-rendered rows are being replaced by the app's: for a moment there may be none.
  while (!box) box = await page.getByRole("feed").locator("..").boundingBox()
  const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)]
  if (touch) {
    const gesture = { x, y, yDistance: -pixels, speed: 1_200, gestureSourceType: "touch" as const }
    await chromium.send("Input.synthesizeScrollGesture", { ...gesture, preventFling: true })
    return
  }
  await page.mouse.move(x, y)
  await page.mouse.wheel(0, pixels)
}

async function usedHeap(chromium: CDPSession): Promise<number> {
  await chromium.send("HeapProfiler.collectGarbage")
  const { usedSize } = await chromium.send("Runtime.getHeapUsage")
  return usedSize
}
