import { setTimeout as delay } from "node:timers/promises"
import type { DocketClient } from "@docket/client"
import { expect } from "@playwright/test"
import type { ScriptedModel } from "../fixtures/scripted-model.ts"
import type { Faults } from "./faults.ts"
import type { LongWork } from "./long-work.ts"
import type { Random } from "./random.ts"
import type { Reader } from "./reader.ts"
import { expectBack, follow, hold, readUp, settles, toLatest } from "./reading.ts"

/** What all readers share. */
export interface Desk {
  client: DocketClient
  model: ScriptedModel
  work: LongWork
  random: Random
  faults: Faults
  rootID: string
}

/** These files are type-checked without the DOM. */
interface Focusable {
  focus(options: { preventScroll: boolean }): void
}

type Activity = (reader: Reader, desk: Desk) => Promise<void>

const rootPath = (desk: Desk) => `/s/${desk.rootID}`

/** Stays at the end while work continues. */
const stayAtEnd: Activity = (reader, desk) => follow(reader, desk.faults, desk.random.between(10_000, 30_000))

/** Scrolls away, stays for a while, and returns to the end. */
const scrollAway: Activity = async (reader, desk) => {
  const anchor = await readUp(reader)
  if (anchor) await hold(reader, desk.faults, { anchor, ms: desk.random.between(10_000, 40_000) })
  await follow(reader, desk.faults, 6_000)
}

/** Scrolls away, reloads the page, and returns to the end. */
const reloadAway: Activity = async (reader, desk) => {
  const anchor = await readUp(reader)
  await reader.page.reload({ waitUntil: "domcontentloaded" })
  await reader.page.getByRole("feed").locator("article").first().waitFor()
  if (anchor) {
    await expectBack(reader, desk.faults, anchor, "a reload")
    await hold(reader, desk.faults, { anchor, ms: 8_000 })
  }
  await follow(reader, desk.faults, 6_000)
}

const waysBack: readonly [string, ...string[]] = ["Back", "breadcrumb", "h", "Esc"]

/** Opens a child session, from further up or from the end, looks at it, and returns. */
const openChild: Activity = async (reader, desk) => {
  const { page } = reader
  const away = desk.random.between(0, 1) < 0.6 ? await readUp(reader) : null
  if (away === null) await toLatest(reader)
  const tasks = await desk.client.task.list.query({ sessionID: desk.rootID })
  const [first, ...rest] = tasks
  if (!first) return
  const { sessionID, description } = desk.random.one([first, ...rest])
  await pressChild(reader, { sessionID, description })
  await page.waitForURL(`**/c/${sessionID}`)
  await page.getByRole("feed").locator("article").first().waitFor()
  await follow(reader, desk.faults, 8_000)
  const way = desk.random.one(waysBack)
  // A sheet or the composer does not handle the page's keys. `preventScroll`, so that the rows do not move.
  const rows = page.getByRole("feed").locator("article")
  await rows.last().evaluate((row) => (row as unknown as Focusable).focus({ preventScroll: true }))
  if (way === "breadcrumb")
    await page.getByRole("navigation", { name: "Sessions above" }).getByRole("link").first().click()
  else if (way === "Back") await page.goBack()
  else await page.keyboard.press(way === "h" ? "h" : "Escape")
  await page.waitForURL(`**${rootPath(desk)}`)
  if (away) await expectBack(reader, desk.faults, away, `a child (${way})`)
  await follow(reader, desk.faults, 6_000)
}

/** Opens a child with the agents sheet on a phone, else with the session rail. */
async function pressChild({ page, touch }: Reader, child: { sessionID: string; description: string }) {
  if (!touch) return page.locator(`[role=treeitem][data-session="${child.sessionID}"] a`).click()
  await page.getByRole("radiogroup", { name: "Show" }).getByText("Agents").click()
  const sheet = page.getByRole("dialog")
  const row = sheet.getByRole("button", { name: new RegExp(`#\\d+ ?${child.description}`) }).first()
  if (!(await row.isVisible())) {
    const finished = sheet.getByRole("button", { name: /^Finished/ })
    if (await finished.isVisible()) await finished.click()
  }
  await row.click()
}

/** Sends a prompt; it is queued while the session works. */
const prompt: Activity = async (reader, desk) => {
  const { page } = reader
  const { prompt: text, script } = desk.work.note()
  desk.model.script(script)
  const field = page.getByRole("textbox", { name: "Prompt" })
  await field.fill(text)
  await page.getByRole("button", { name: /^(Send|Queue)$/ }).click()
  await expect(field).toHaveValue("", settles)
  const number = /\d+/.exec(text)?.[0]
  const answer = page.getByText(`That is answer ${number}.`)
  await expect(answer).toHaveCount(1, { timeout: 180_000 })
  desk.faults.passed("prompted in between and read the answer")
  await follow(reader, desk.faults, 4_000)
}

/** Loses the network for a while, at the end or further up. */
const loseNetwork: Activity = async (reader, desk) => {
  const anchor = desk.random.between(0, 1) < 0.5 ? await readUp(reader) : null
  if (anchor === null) await toLatest(reader)
  const chip = reader.page.getByText(/^(Reconnecting|Offline)$/)
  const back = Promise.withResolvers<void>()
  const expecting = reader.expectNetworkErrors(back.promise)
  try {
    await reader.offline(true)
    await expect(chip.first()).toBeVisible(settles)
    await delay(desk.random.between(5_000, 20_000))
  } finally {
    await reader.offline(false)
    await expect(chip).toHaveCount(0, { timeout: 60_000 })
    back.resolve()
    await expecting
  }
  desk.faults.passed("lost the network and was told so")
  if (anchor) await expectBack(reader, desk.faults, anchor, "a time without network")
  await follow(reader, desk.faults, 6_000)
}

/** What readers do; repeated entries are more frequent. */
const common = [stayAtEnd, stayAtEnd, scrollAway, scrollAway, openChild, openChild, reloadAway] as const
export const activities: Record<string, readonly [Activity, ...Activity[]]> = {
  wide: [...common, prompt, prompt],
  wider: [...common, prompt, loseNetwork],
  phone: [...common, prompt],
}
