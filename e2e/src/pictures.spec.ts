import { writeFile } from "node:fs/promises"
import path from "node:path"
import type { DocketClient } from "@docket/client"
import { grainyPng, pngOf } from "@docket/core/test/pictures"
import type { Locator, Page } from "@playwright/test"
import { findViolations } from "./fixtures/find-violations.ts"
import type { ScriptedModel } from "./fixtures/scripted-model.ts"
import { expect, idle, loaded, sessionOf, test } from "./fixtures/test.ts"
import { trustProject } from "./fixtures/trust-project.ts"

test.use({ config: { permission: "allow" } })

const pasted = pngOf(600, 300, { colour: [40, 90, 220] })
const stored = pngOf(320, 400, { colour: [20, 150, 70] })
const made = pngOf(90, 60, { colour: [210, 60, 40] })
const widths = [1440, 390]

const draw = `export default {
  description: "Draws a picture.",
  args: {},
  execute: async () => ({
    title: "Drew it",
    output: "Drawn.",
    attachments: [{ type: "file", mime: "image/png", url: "data:image/png;base64,${made.toString("base64")}", filename: "made.png" }],
  }),
}
`

/** Pastes a picture into a field, as a browser does. */
async function paste(field: Locator, bytes: Buffer, name: string): Promise<void> {
  await field.focus()
  // A string, because these files are type-checked without the DOM.
  await field.page().evaluate(`(() => {
    const bytes = Uint8Array.from(atob("${bytes.toString("base64")}"), (letter) => letter.charCodeAt(0))
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File([bytes], "${name}", { type: "image/png" }))
    const pasting = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(pasting)
  })()`)
}

/** The width that a picture has in its file; 0 while it is not there. */
const naturalWidth = (picture: Locator) => picture.evaluate((image: { naturalWidth?: number }) => image.naturalWidth)

/** The place of an element, once it is drawn. */
async function boxOf(element: Locator) {
  await expect.poll(() => element.boundingBox()).not.toBeNull()
  return (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
}

interface Sender {
  client: DocketClient
  model: ScriptedModel
  projectID: string
}

/** Sends a picture in a new session, and returns the session's id. */
async function sendPicture({ client, model, projectID }: Sender): Promise<string> {
  model.script({ Look: [{ text: "Seen." }] })
  const { id } = await client.session.create.mutate({ projectID })
  const url = `data:image/png;base64,${pasted.toString("base64")}`
  await client.session.prompt.mutate({
    sessionID: id,
    parts: [
      { type: "text", text: "Look" },
      { type: "file", mime: "image/png", url, filename: "pasted.png" },
    ],
  })
  return id
}

async function expectPictures(page: Page, place: Locator): Promise<void> {
  for (const [name, width] of [
    ["pasted.png", 600],
    ["shot.png", 320],
    ["made.png", 90],
  ] as const) {
    const picture = place.getByRole("img", { name })
    // The page takes over the rows that the server drew, with new elements.
    await expect(() => picture.scrollIntoViewIfNeeded({ timeout: 5_000 })).toPass()
    await expect.poll(() => naturalWidth(picture)).toBe(width)
    const box = await boxOf(picture)
    expect(box.width).toBeLessThanOrEqual(480)
    expect(box.x + box.width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
  }
  const wide = await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
  expect(wide).toBe(false)
}

test("pictures of all kinds reach model and people, also by a share", async ({
  desk,
  client,
  model,
  project,
  projectID,
  server,
  browser,
}) => {
  await writeFile(path.join(project.directory, "shot.png"), stored)
  await project.write(".docket/tool/draw.ts", draw)
  await trustProject(client, projectID)
  model.script({
    "Compare them": [
      { calls: [{ tool: "read", args: { filePath: "shot.png" } }] },
      { calls: [{ tool: "draw", args: {} }] },
      { text: "They differ." },
    ],
  })
  const field = desk.getByRole("textbox", { name: "Prompt" })
  await field.fill("Compare them")
  await paste(field, pasted, "pasted.png")
  const chips = desk.getByRole("list", { name: "Attached files" })
  await expect(chips).toContainText("pasted.png")
  await field.press("Enter")
  await desk.waitForURL(/\/s\/ses_/)
  await expect(desk.getByText("They differ.")).toBeVisible({ timeout: 60_000 })
  await idle(desk)

  const sent = JSON.stringify(model.requests.at(-1))
  for (const bytes of [pasted, stored, made]) expect(sent).toContain(bytes.toString("base64"))

  const id = sessionOf(desk)
  for (const width of widths) {
    await desk.setViewportSize({ width, height: 900 })
    await desk.goto(`${server.url}/s/${id}`)
    await loaded(desk)
    await expectPictures(desk, desk.getByRole("feed"))
    expect(await findViolations(desk)).toEqual([])
    await desk.getByRole("feed").getByRole("button", { name: "Open shot.png" }).click()
    const viewer = desk.getByRole("dialog", { name: "shot.png" })
    await expect(viewer).toContainText("320 × 400 pixels")
    await expect.poll(() => naturalWidth(viewer.getByRole("img", { name: "shot.png" }))).toBe(320)
    expect(await findViolations(desk)).toEqual([])
    await desk.keyboard.press("Escape")
    await expect(viewer).toBeHidden()
  }

  const shows = { outputs: true, reasoning: true, files: true }
  const links = {
    without: await client.share.create.mutate({ rootID: id, shows }),
    including: await client.share.create.mutate({ rootID: id, shows: { ...shows, pictures: true } }),
  }
  const stranger = await browser.newContext()
  const page = await stranger.newPage()
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(links.including.url)
    await expectPictures(page, page.getByRole("region", { name: "Transcript" }))
    expect(await findViolations(page)).toEqual([])
    await page.goto(links.without.url)
    await expect(page.getByText("[picture left out] made.png")).toBeVisible()
    await expect(page.locator("img")).toHaveCount(0)
  }
  await stranger.close()
})

test("large pasted pictures are made smaller, also when sent at once", async ({ desk, model }) => {
  model.script({ "Compare them": [{ text: "They differ." }] })
  const field = desk.getByRole("textbox", { name: "Prompt" })
  await field.fill("Compare them")
  const large = grainyPng(1_500, 1_200)
  expect(large.length).toBeGreaterThan(2 * 1_048_576)
  await paste(field, large, "image.png")
  await paste(field, large, "image.png")
  // They are still made smaller.
  await field.press("Enter")
  await field.press("Enter")
  await desk.waitForURL(/\/s\/ses_/)
  await expect(desk.getByText("They differ.")).toBeVisible({ timeout: 60_000 })
  expect(JSON.stringify(model.requests.at(-1)).match(/data:image\/jpeg;base64,/g)).toHaveLength(2)
  for (const name of ["image.png", "image-2.png"]) {
    const picture = desk.getByRole("feed").getByRole("img", { name })
    await expect.poll(() => naturalWidth(picture)).toBe(1_500)
  }
})

test("a picture has its room before it arrives", async ({ desk, client, model, projectID, server }) => {
  const id = await sendPicture({ client, model, projectID })
  const arrives = Promise.withResolvers<void>()
  await desk.route("**/api/attachment/**", async (route) => {
    await arrives.promise
    await route.continue()
  })
  for (const width of widths) {
    await desk.setViewportSize({ width, height: 900 })
    await desk.goto(`${server.url}/s/${id}`, { waitUntil: "domcontentloaded" })
    await loaded(desk)
    const picture = desk.getByRole("feed").getByRole("img", { name: "pasted.png" })
    const before = await boxOf(picture)
    if (width === widths[0]) {
      expect(await naturalWidth(picture)).toBe(0)
      arrives.resolve()
    }
    await expect.poll(() => naturalWidth(picture)).toBe(600)
    const after = await boxOf(picture)
    expect([after.width, after.height]).toEqual([before.width, before.height])
    expect(after.width / after.height).toBeCloseTo(2, 1)
  }
})

test("a share includes pictures only when its maker ticks them", async ({
  desk,
  client,
  model,
  projectID,
  server,
  page,
}) => {
  const id = await sendPicture({ client, model, projectID })
  await desk.goto(`${server.url}/s/${id}`)
  await idle(desk)
  await desk.getByRole("button", { name: "Share" }).click()
  const dialog = desk.getByRole("dialog")
  const tick = dialog.getByRole("checkbox", { name: /^Pictures and PDFs/ })
  await expect(tick).not.toBeChecked()
  await tick.check()
  await dialog.getByRole("button", { name: "Publish" }).click()
  const field = dialog.getByRole("textbox", { name: "Public link" })
  await expect(field).toHaveValue(/\/share\//)
  await page.goto(await field.inputValue())
  const picture = page.getByRole("img", { name: "pasted.png" })
  await expect.poll(() => naturalWidth(picture)).toBe(600)
})
