import type { DocketClient } from "@docket/client"
import type { Browser, Locator, Page } from "@playwright/test"
import { runSession } from "./fixtures/run-session.ts"
import type { Answer, ScriptedModel } from "./fixtures/scripted-model.ts"
import { expect, test } from "./fixtures/test.ts"

test.use({ shared: true, config: { agent: { general: { permission: { task: "allow" } } } } })

const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word} ${index + 1}.`).join("\n\n")
const delegate = (text: string, agent: string, description: string): Answer => ({
  text,
  calls: [
    { tool: "todowrite", args: { todos: [{ content: "Read it all", status: "in_progress", priority: "high" }] } },
    { tool: "task", args: { description, prompt: `Please ${description}`, subagent_type: agent } },
  ],
})

/** A session with a child and a grandchild, each longer than the screen. Returns its id. */
async function runDeepSession(client: DocketClient, model: ScriptedModel, projectID: string): Promise<string> {
  model.script({
    "Study everything": [delegate(lines(40, "Before"), "general", "Study src"), { text: lines(60, "After") }],
    "Please Study src": [delegate(lines(40, "Above"), "explore", "Read names"), { text: lines(60, "Below") }],
    "Please Read names": [{ text: lines(80, "Name") }],
  })
  return runSession(client, projectID, "Study everything")
}

/** A stop on the way: the address, the tab title, and the element that must be in the same place. */
interface Stop {
  url: RegExp
  title: RegExp
  shows: Locator
  top: number
}

const top = async (shows: Locator) => Math.round((await shows.boundingBox())?.y ?? Number.NaN)
/** The element with keyboard focus; the body means none. */
const focused = (page: Page) => page.evaluate<string>("document.activeElement?.tagName ?? 'none'")

async function expectAt(page: Page, stop: Stop): Promise<void> {
  await expect(page).toHaveURL(stop.url)
  await expect(page).toHaveTitle(stop.title)
  await expect.poll(() => top(stop.shows), `${stop.url}`).toBe(stop.top)
}

/** The position of the element when it no longer moves: when a page opens, rows above it are still being measured. */
async function restingTop(shows: Locator): Promise<number> {
  let last = Number.NaN
  let same = 0
  const countUnmoved = async () => {
    const now = await top(shows)
    same = now === last ? same + 1 : 0
    last = now
    return same
  }
  await expect.poll(countUnmoved, { intervals: [20] }).toBeGreaterThan(20)
  return last
}

async function arrive(page: Page, stop: Omit<Stop, "top">): Promise<Stop> {
  await expect(page).toHaveURL(stop.url)
  await expect(page).toHaveTitle(stop.title)
  await expect(stop.shows).toBeInViewport()
  return { ...stop, top: await restingTop(stop.shows) }
}

/** Scrolls a row to the middle of the transcript, like a user would. */
async function readAt(page: Page, row: Locator): Promise<void> {
  await page.getByRole("feed").hover()
  await expect(async () => {
    await page.mouse.wheel(0, -600)
    await expect(row).toBeInViewport({ timeout: 250 })
  }).toPass()
  await page.mouse.wheel(0, -40)
}

/** The session's row in the inbox, which also lists its tasks to review. */
function sessionRow(page: Page, rootID: string): Locator {
  return page.getByRole("main").locator(`a[href="/s/${rootID}"]`)
}

async function openPhone(browser: Browser, desk: Page): Promise<Page> {
  const storageState = await desk.context().storageState()
  return await (await browser.newContext({ viewport: { width: 390, height: 844 }, storageState })).newPage()
}

for (const width of [1440, 390]) {
  test(`Back and Forward keep every page's place, focus and title, ${width} px`, async ({
    desk,
    client,
    model,
    projectID,
    browser,
  }) => {
    test.slow()
    const rootID = await runDeepSession(client, model, projectID)
    const page = width === 1440 ? desk : await openPhone(browser, desk)
    if (page !== desk) await page.goto(desk.url())
    const phone = page !== desk
    const rail = async () => {
      if (phone) await page.getByRole("button", { name: "Sessions", exact: true }).click()
      return phone ? page.getByRole("dialog", { name: "Sessions" }) : page.getByRole("complementary")
    }
    const feed = page.getByRole("feed")
    const card = page.getByRole("button", { name: /^Open task/ })
    const root = new RegExp(`/s/${rootID}$`)
    const stops: Stop[] = []
    const stopAt = async (stop: Omit<Stop, "top">) => stops.push(await arrive(page, stop))

    await stopAt({ url: /\/$/, title: /^Inbox/, shows: page.getByRole("heading", { name: "Inbox" }) })
    await sessionRow(page, rootID).click()
    await expect(feed.getByText("After 60.")).toBeInViewport()
    await readAt(page, card)
    await stopAt({ url: root, title: /Study everything · Docket$/, shows: card })
    await card.click()
    await expect(feed.getByText("Below 60.")).toBeInViewport()
    await readAt(page, card)
    await stopAt({ url: /\/c\/ses_/, title: /Study src · Docket$/, shows: card })
    await card.click()
    await expect(feed.getByText("Name 80.")).toBeInViewport()
    await readAt(page, feed.getByText("Name 60."))
    await stopAt({ url: /\/c\/ses_/, title: /Read names · Docket$/, shows: feed.getByText("Name 60.") })

    await (await rail()).getByRole("button", { name: "New session" }).click()
    await stopAt({ url: /\/s\/new/, title: /^New session/, shows: page.getByRole("textbox", { name: "Prompt" }) })
    const list = await rail()
    await list.getByRole("searchbox", { name: "Search sessions" }).fill("Please Read")
    await list.getByRole("link", { name: /Prompt in Read names/ }).click()
    const found = feed.getByText("Please Read names", { exact: true })
    await stopAt({ url: /part=prt_/, title: /Read names · Docket$/, shows: found })
    await (await rail()).getByRole("link", { name: "Settings" }).click()
    await stopAt({ url: /\/settings/, title: /^Settings/, shows: page.getByRole("heading", { name: "Models" }) })
    await (await rail()).getByRole("link", { name: "Todos" }).click()
    const item = page.getByRole("main").getByRole("link", { name: "Study everything" })
    await stopAt({ url: /\/todos/, title: /^Todos/, shows: item })

    for (const stop of stops.slice(0, -1).reverse()) {
      await page.goBack()
      await expectAt(page, stop)
      await expect.poll(() => focused(page), `${stop.url}`).not.toBe("BODY")
    }
    for (const stop of stops.slice(1)) {
      await page.goForward()
      await expectAt(page, stop)
    }

    const { url } = await client.share.create.mutate({ rootID })
    await page.goto(new URL(new URL(url).pathname, page.url()).href)
    const child = page.getByRole("link", { name: /Study src/ }).last()
    await child.scrollIntoViewIfNeeded()
    const shared = await arrive(page, { url: /\/share\//, title: /^Study everything/, shows: child })
    await child.click()
    await arrive(page, {
      url: /\/c\//,
      title: /^Study src/,
      shows: page.getByRole("heading", { name: "Study src", exact: true }),
    })
    await page.goBack()
    await expectAt(page, shared)
    if (phone) await page.context().close()
  })
}

test("on a phone, Back closes what is open and leaves no entry", async ({
  desk,
  client,
  model,
  projectID,
  browser,
}) => {
  test.slow()
  const rootID = await runDeepSession(client, model, projectID)
  const page = await openPhone(browser, desk)
  await page.goto(desk.url())
  await sessionRow(page, rootID).click()
  await expect(page.getByText("After 60.")).toBeInViewport()
  const session = page.url()
  const entry = () => page.evaluate<number>("navigation.currentEntry.index")
  const before = await entry()
  const panels = page.getByRole("radiogroup", { name: "Show" }).first()
  const dialog = page.getByRole("dialog")
  const openings: Record<string, () => Promise<void>> = {
    Agents: () => panels.getByText("Agents").click(),
    rail: () => page.getByRole("button", { name: "Sessions", exact: true }).click(),
    share: () => page.getByRole("button", { name: "Share…" }).click(),
    menu: () => page.getByRole("button", { name: "Actions for Study everything" }).click(),
    palette: () => page.keyboard.press("ControlOrMeta+k"),
  }
  for (const [name, open] of Object.entries(openings)) {
    const layer = name === "menu" ? page.getByRole("menu") : dialog
    await open()
    await expect(layer, name).toBeVisible()
    await expect.poll(entry, name).toBe(before + 1)
    await page.goBack()
    await expect(layer, name).toHaveCount(0)
    await expect(page).toHaveURL(session)
    await expect.poll(entry, name).toBe(before)
  }

  await openings.Agents?.()
  await expect(dialog).toBeVisible()
  await page.getByRole("button", { name: "Back to the transcript" }).click()
  await expect(dialog).toHaveCount(0)
  await expect.poll(entry).toBe(before)

  // A menu opens a dialog, and the dialog is closed by its own button.
  await openings.menu?.()
  await page.getByRole("menuitem", { name: "Rename…" }).click()
  await expect(page.getByRole("dialog", { name: "Rename session" })).toBeVisible()
  await expect.poll(entry).toBe(before + 1)
  await page.goBack()
  await expect(dialog).toHaveCount(0)

  await openings.rail?.()
  await dialog.getByRole("link", { name: "Settings" }).click()
  await expect(page).toHaveURL(/\/settings/)
  await expect(dialog).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(session)
  await expect(dialog).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole("heading", { name: "Inbox" })).toBeVisible()

  // A reload with an open sheet shows the page without it, and Back leaves the page at once.
  await page.goForward()
  await openings.Agents?.()
  await expect(dialog).toBeVisible()
  await page.reload()
  await expect.poll(entry).toBe(before)
  await page.goBack()
  await expect(page.getByRole("heading", { name: "Inbox" })).toBeVisible()
  await page.context().close()

  // A full-width view is closed the same way.
  await desk.goto(new URL(`/s/${rootID}`, desk.url()).href)
  await expect(desk.getByText("After 60.")).toBeInViewport()
  const deskEntry = () => desk.evaluate<number>("navigation.currentEntry.index")
  const beforeView = await deskEntry()
  await desk.keyboard.press("d")
  await expect(desk.getByRole("dialog", { name: "Changed files" })).toBeVisible()
  await expect.poll(deskEntry).toBe(beforeView + 1)
  await desk.goBack()
  await expect(desk.getByRole("dialog")).toHaveCount(0)
  await expect(desk).toHaveURL(new RegExp(rootID))
})
