import { setTimeout as delay } from "node:timers/promises"
import { expect } from "@playwright/test"
import { distanceToEnd } from "../fixtures/scroll.ts"
import type { Faults } from "./faults.ts"
import type { Reader } from "./reader.ts"
import { type Anchor, findAnchor, topOf } from "./row-watch.ts"

/** Closer than this to the newest row counts as being there (px), as for the page. */
const atEndWithin = 8
/** What a row may move without anybody seeing it (px). */
const stillWithin = 1
/** Looks, one every two seconds, for which the end may be off: rows grow while it is looked at. */
const looksOff = 3
/** For what a page needs to come to its rest on a busy machine (ms). */
export const settles = { timeout: 30_000, intervals: [100, 250, 500] }

export const latestOf = ({ page }: Reader) => page.getByRole("button", { name: /Skip to latest|new parts?$/ })

/** Rows that a document brings have no way to the end, and are measured from it. */
async function drawn({ page }: Reader): Promise<void> {
  await page.locator("[data-first]").waitFor({ state: "detached", timeout: 60_000 })
}

/** Goes to the newest row, as a person does. */
export async function toLatest(reader: Reader): Promise<void> {
  const latest = latestOf(reader)
  await drawn(reader)
  await expect(async () => {
    if (await latest.isVisible()) await latest.click()
    expect(await distanceToEnd(reader.page)).toBeLessThanOrEqual(atEndWithin)
  }).toPass(settles)
}

/** Reads at the end for so long (ms): the newest row stays in sight, and nothing offers a way there. */
export async function follow(reader: Reader, faults: Faults, ms: number): Promise<void> {
  await toLatest(reader)
  let off = 0
  for (const end = Date.now() + ms; Date.now() < end; ) {
    await delay(2_000)
    const distance = await distanceToEnd(reader.page)
    off = distance > atEndWithin ? off + 1 : 0
    if (off === looksOff) return faults.add(reader.name, `follows, but the end is ${distance} px below the screen`)
  }
  const offers = () => latestOf(reader).count()
  await expect.poll(offers, { ...settles, message: "at the end, a way to the end is offered" }).toBe(0)
  faults.passed("followed to the newest row")
}

/** Leaves the end and reads some rows further up. Null where no row stays as it is. */
export async function readUp(reader: Reader): Promise<Anchor | null> {
  for (let tries = 0; tries < 6; tries++) {
    await reader.scroll(-600)
    await delay(800)
    const anchor = await findAnchor(reader.page)
    if (anchor !== null && (await distanceToEnd(reader.page)) > 300) return resting(reader, anchor)
  }
  return null
}

/** The row where it stands once the movement is over. */
async function resting(reader: Reader, anchor: Anchor): Promise<Anchor> {
  let top = anchor.top
  await expect(async () => {
    const before = top
    top = (await topOf(reader.page, anchor)) ?? Number.NaN
    expect(top).toBe(before)
  }).toPass({ timeout: 30_000, intervals: [700] })
  return { ...anchor, top }
}

/** The row is where it was, once the page has come to rest. */
export async function expectBack(reader: Reader, faults: Faults, anchor: Anchor, after: string): Promise<void> {
  const end = Date.now() + settles.timeout
  for (;;) {
    const top = await topOf(reader.page, anchor)
    if (top !== null && Math.abs(top - anchor.top) <= stillWithin) break
    if (Date.now() > end) return faults.add(reader.name, `${after}: ${words(anchor, top)}`)
    await delay(250)
  }
  faults.passed(`back at the same row and height after ${after}`)
}

/** The row stays where it is for so long (ms), whatever comes, and the way to the end is offered. */
export async function hold(reader: Reader, faults: Faults, { anchor, ms }: { anchor: Anchor; ms: number }) {
  for (const end = Date.now() + ms; Date.now() < end; ) {
    await delay(2_000)
    const top = await topOf(reader.page, anchor)
    if (top === null || Math.abs(top - anchor.top) > stillWithin)
      return faults.add(reader.name, `reads further up: ${words(anchor, top)}`)
  }
  await drawn(reader)
  if ((await latestOf(reader).count()) === 0)
    return faults.add(reader.name, "reads further up without a way to the end")
  faults.passed("kept the row while work went on")
}

function words({ row, kind, top }: Anchor, now: number | null): string {
  const stood = `${kind} row ${row} stood at ${top} px`
  return now === null ? `${stood} and is not in the page` : `${stood} and is at ${now} px`
}
