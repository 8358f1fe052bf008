import { startAskingSession } from "./fixtures/asking-session.ts"
import { fillLists } from "./fixtures/fill-lists.ts"
import { findViolations, findViolationsInLightAndDark } from "./fixtures/find-violations.ts"
import { openAtWidth } from "./fixtures/open-at-width.ts"
import { askingPages, pageAddresses, workingPages } from "./fixtures/pages.ts"
import { runSampleSession } from "./fixtures/sample-session.ts"
import { expect, test } from "./fixtures/test.ts"
import { widthsOf } from "./fixtures/widths.ts"
import { startWorkingSession, workingConfig } from "./fixtures/working-session.ts"

test("axe finds nothing on any page, light and dark, wide and phone", async ({
  desk,
  browser,
  client,
  model,
  projectID,
  server,
}) => {
  test.slow()
  const all = await pageAddresses(client, await runSampleSession(client, model, projectID))
  const addresses = all.filter(({ isImage }) => !isImage)
  const stranger = await browser.newContext()
  const outside = await stranger.newPage()
  const found: Record<string, string[]> = {}
  for (const [index, { name, path, signedOut }] of addresses.entries()) {
    const page = signedOut ? outside : desk
    for (const width of widthsOf(index)) {
      await openAtWidth(page, server.url + path, width)
      await expect(page.getByRole("heading").first()).toBeVisible()
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0)
      const list = await findViolationsInLightAndDark(page)
      if (list.length > 0) found[`${name}, ${width} px`] = list
    }
  }
  await stranger.close()
  expect(found).toEqual({})
})

test.describe("a session at work", () => {
  test.use({ config: workingConfig })

  test("axe finds nothing in its panels, light and dark, wide and phone", async ({
    desk,
    client,
    model,
    projectID,
    server,
  }) => {
    test.slow()
    const working = await startWorkingSession(client, model, projectID)
    const { archivedID } = await fillLists(client, model, projectID)
    const found: Record<string, string[]> = {}
    const asking = askingPages(await startAskingSession(client, model, projectID))
    const asked = asking.filter(({ name }) => ["permission-edit", "terminal-full"].includes(name))
    for (const [index, { name, path, open }] of [...workingPages(working, archivedID), ...asked].entries()) {
      for (const width of widthsOf(index)) {
        await openAtWidth(desk, server.url + path, width)
        await expect(desk.getByRole("heading").first()).toBeVisible()
        await open?.(desk)
        await expect(desk.getByText(/^Loading/)).toHaveCount(0)
        const list = await findViolationsInLightAndDark(desk)
        if (list.length > 0) found[`${name}, ${width} px`] = list
      }
    }
    expect(found).toEqual({})
  })
})

test("axe finds nothing in dialogs, menus or the rail, light and dark", async ({
  desk,
  client,
  model,
  projectID,
  server,
}) => {
  test.slow()
  const { rootID } = await runSampleSession(client, model, projectID)
  await desk.goto(`${server.url}/s/${rootID}`)
  await expect(desk.getByRole("textbox", { name: "Prompt" })).toBeVisible()
  const dialog = desk.getByRole("dialog")
  const found: Record<string, string[]> = {}
  /** Checks the whole page once; of what opens over it, only that element. */
  const check = async (name: string, within?: string) => {
    const list = within ? await findViolations(desk, { within }) : await findViolationsInLightAndDark(desk)
    if (list.length > 0) found[name] = list
    await desk.keyboard.press("Escape")
    await expect(dialog).toHaveCount(0)
  }
  await desk.keyboard.press("ControlOrMeta+k")
  await expect(dialog.getByRole("button", { name: /Rename/ })).toBeVisible()
  await check("palette")
  await desk.getByRole("button", { name: "Share" }).click()
  await expect(dialog.getByRole("button", { name: "Publish" })).toBeVisible()
  await check("share")
  await desk.keyboard.press("Shift+?")
  await expect(dialog.getByRole("heading", { name: "Keyboard" })).toBeVisible()
  await check("keys", "[role=dialog]")
  for (const name of ["Rename…", "Export…", "Delete…"]) {
    await desk
      .getByRole("banner")
      .or(desk.getByRole("main"))
      .getByRole("button", { name: /^Actions for/ })
      .first()
      .click()
    await desk.getByRole("menuitem", { name }).click()
    await expect(dialog.getByRole("button").first()).toBeVisible()
    await check(name, "[role=dialog]")
  }
  await desk.getByRole("searchbox", { name: "Search sessions" }).fill("greet")
  await expect(desk.getByRole("region", { name: "In subagents and transcripts" })).toBeVisible()
  const list = await findViolationsInLightAndDark(desk)
  expect({ ...found, ...(list.length > 0 && { search: list }) }).toEqual({})
})
