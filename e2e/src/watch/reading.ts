import { setTimeout as delay } from "node:timers/promises"
import { expect } from "@playwright/test"
import { distanceToEnd } from "../fixtures/scroll.ts"
import type { Faults } from "./faults.ts"
import type { Reader } from "./reader.ts"
import { type Anchor, findAnchor, topOf } from "./row-watch.ts"

/** Distance to the newest row that counts as being at the end (px); the page uses the same value. */
const atEndWithin = 8
/** A movement of a row that nobody sees (px). */
const stillWithin = 1
/** Number of checks, one every two seconds, that may be off the end: a row may grow during a check. */
const looksOff = 3
/** Time for a page to settle on a busy machine (ms). */
export const settles = { timeout: 30_000, intervals: [100, 250, 500] }

export const latestOf = ({ page }: Reader) => page.getByRole("button", { name: /Skip to latest|new parts?$/ })

/** Waits for the live rows: the server-rendered ones have no button to the end. */
async function waitForLiveRows({ page }: Reader): Promise<void> {
  await page.locator("[data-first]").waitFor({ state: "detached", timeout: 60_000 })
}

/** Goes to the newest row like a user. */
export async function toLatest(reader: Reader): Promise<void> {
  const latest = latestOf(reader)
  await waitForLiveRows(reader)
  await expect(async () => {
    if (await latest.isVisible()) await latest.click()
    expect(await distanceToEnd(reader.page)).toBeLessThanOrEqual(atEndWithin)
  }).toPass(settles)
}

/** Stays at the end for `ms`: the newest row must stay visible, and no button to the end may appear. */
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

/** Leaves the end and reads some rows further up. Null when no row stays unchanged. */
export async function readUp(reader: Reader): Promise<Anchor | null> {
  for (let tries = 0; tries < 6; tries++) {
    await reader.scroll(-600)
    await delay(800)
    const anchor = await findAnchor(reader.page)
    if (anchor !== null && (await distanceToEnd(reader.page)) > 300) return resting(reader, anchor)
  }
  return null
}

/** The row's position when the movement is over. */
async function resting(reader: Reader, anchor: Anchor): Promise<Anchor> {
  let top = anchor.top
  await expect(async () => {
    const before = top
    top = (await topOf(reader.page, anchor)) ?? Number.NaN
    expect(top).toBe(before)
  }).toPass({ timeout: 30_000, intervals: [700] })
  return { ...anchor, top }
}

/** Checks that the row is back at its position when the page has settled. */
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

/** Checks for `ms` that the row stays at its position, whatever arrives, and that the button to the end is shown. */
export async function hold(reader: Reader, faults: Faults, { anchor, ms }: { anchor: Anchor; ms: number }) {
  for (const end = Date.now() + ms; Date.now() < end; ) {
    await delay(2_000)
    const top = await topOf(reader.page, anchor)
    if (top === null || Math.abs(top - anchor.top) > stillWithin)
      return faults.add(reader.name, `reads further up: ${words(anchor, top)}`)
  }
  await waitForLiveRows(reader)
  if ((await latestOf(reader).count()) === 0)
    return faults.add(reader.name, "reads further up without a way to the end")
  faults.passed("kept the row while work went on")
}

function words({ row, kind, top }: Anchor, now: number | null): string {
  const stood = `${kind} row ${row} stood at ${top} px`
  return now === null ? `${stood} and is not in the page` : `${stood} and is at ${now} px`
}
