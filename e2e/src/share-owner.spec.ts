import type { BrowserContext, Locator, Page, Request } from "@playwright/test"
import { createGate } from "./fixtures/gate.ts"
import { begin, expect, sessionOf, test } from "./fixtures/test.ts"

test.use({ shared: true, config: { agent: { general: { permission: { task: "allow" } } }, delegation: { depth: 4 } } })

const planted = `AKIA${"Q7XZ".repeat(4)}`
const streamed = `AKIA${"W8KD".repeat(4)}`
const leftOut = "Nobody else reads these notes."

test("a share is reviewed and published by keyboard, read and ended", {
  tag: "@journey",
}, async ({ desk, model, client, browser }) => {
  const gate = createGate()
  const task = (description: string, prompt: string) => ({
    tool: "task",
    args: { description, prompt, subagent_type: "general" },
  })
  const levels = ["Open the gate", "Climb the stairs", "Enter the tower", "Find the key"]
  const below = levels.map((name, level): [string, object[]] => {
    const next = levels[level + 1]
    if (next === undefined) return [`Please: ${name}`, [{ text: `The key is ${planted}, as it stands there.` }]]
    return [`Please: ${name}`, [{ calls: [task(next, `Please: ${next}`)] }, { text: `${name}: done.` }]]
  })
  model.script({
    "Fetch the key": [
      {
        text: "I ask two others.",
        calls: [task("Open the gate", "Please: Open the gate"), task("Notes", "Read notes")],
      },
      { text: `It ends with postgres://app:${streamed}@db.example and is ${streamed}, that is all.`, gate },
    ],
    "Read notes": [{ text: leftOut }],
    ...Object.fromEntries(below),
  })
  await begin(desk, "Fetch the key")
  await gate.reached

  const { url, dialog } = await publishByKeyboard(desk)
  const address = new URL(url).pathname
  const { sessions } = await client.session.tree.query({ sessionID: sessionOf(desk) })
  const deepest = sessions.find(({ depth }) => depth === 4)
  const { items } = await client.session.messages.query({ sessionID: deepest?.id ?? "" })
  const part = items.flatMap(({ parts }) => parts).findLast(({ type }) => type === "text")

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await phone.newPage()
  const received = await record(phone, page)
  expect((await page.goto(`${url}/p/${part?.id}`))?.status()).toBe(404)
  await page.getByLabel("Has it a password?").fill("wrong horse")
  await page.getByRole("button", { name: "Open" }).click()
  await expect(page.getByText("That did not open it")).toBeVisible()
  await page.getByLabel("Has it a password?").fill("correct horse")
  await page.getByRole("button", { name: "Open" }).click()
  const row = page.getByRole("region", { name: "Transcript" }).getByText("as it stands there")
  await expect(row).toBeInViewport()
  await expect(page.locator(`[id="${part?.id}"]`)).toContainText("redacted: AWS access key")

  // The share already shows the beginning of the tree, and the rest is still being written.
  await page.getByText("sessions in this tree").click()
  await page
    .getByRole("link", { name: /Fetch the key/ })
    .first()
    .click()
  await expect(page.getByText("I ask two others.")).toBeVisible()
  await expect(page.getByRole("status")).toContainText("live")
  gate.open()
  const words = page.getByRole("region", { name: "Transcript" })
  await expect(words.getByRole("article").filter({ hasText: "that is all." })).toContainText("redacted: AWS access key")

  // The stream is closed by the page, when it learns that the link has ended, or by the service.
  const isStream = (request: Request) => request.url().includes("/events")
  const streamEnds = Promise.race([
    page.waitForEvent("requestfinished", isStream),
    page.waitForEvent("requestfailed", isStream),
  ])
  await press(desk, dialog.getByRole("button", { name: "Revoke" }))
  await expect(dialog.getByText("No link is active.")).toBeVisible()
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible()
  await streamEnds
  const child = `/c/${deepest?.id}`
  const pages = ["", child, `/p/${part?.id}`, "/opengraph-image", `${child}/opengraph-image`].map((at) => address + at)
  const api = ["", ".md", ".json", "/events", `/session/${deepest?.id}`].map((at) => `/api${address}${at}`)
  for (const path of [...pages, address.replace("/share/", "/embed/"), ...api])
    expect([path, (await fetch(new URL(path, url))).status]).toEqual([path, 404])

  const bodies = await received()
  expect(bodies.join("\n")).toContain("redacted: AWS access key")
  expect(bodies.join("\n")).toContain('"type":"message.part.updated"')
  for (const hidden of [planted, streamed, leftOut])
    expect(bodies.filter((body) => body.includes(hidden.slice(4, 14)))).toEqual([])
  await phone.close()
})

/** Shares the session on screen with a password and without one of its children, with the keyboard only. */
async function publishByKeyboard(desk: Page): Promise<{ url: string; dialog: Locator }> {
  await desk.getByRole("textbox", { name: "Prompt" }).focus()
  await desk.keyboard.type("/share")
  await desk.keyboard.press("Enter")
  const dialog = desk.getByRole("dialog", { name: "Share this session" })
  await expect(dialog.getByRole("button", { name: "Publish" })).toBeEnabled()
  await expect(dialog).not.toContainText(planted)
  await reach(desk, dialog.getByRole("checkbox", { name: /Notes/ }))
  await desk.keyboard.press("Space")
  const group = dialog.getByRole("button", { name: /AWS access key/ })
  await press(desk, group)
  await expect(group).toHaveAttribute("aria-expanded", "true")
  await expect(dialog.getByText("The key is").first()).toBeVisible()
  const choice = dialog.getByRole("combobox", { name: "What becomes of AWS access key" })
  await reach(desk, choice)
  // Showing a secret needs a confirmation, and the safe answer has the focus.
  await desk.keyboard.type("Show")
  await expect(dialog.getByRole("button", { name: "Keep it hidden" })).toBeFocused()
  await desk.keyboard.press("Enter")
  await expect(choice).toHaveValue("redact")
  await reach(desk, dialog.getByLabel("Password", { exact: true }))
  await desk.keyboard.type("correct horse")
  await press(desk, dialog.getByRole("button", { name: "Publish" }))
  const field = dialog.getByRole("textbox", { name: "Public link" })
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(/\/share\//)
  await expect(dialog.getByText("Hidden: AWS access key", { exact: false })).toBeVisible()
  return { url: await field.inputValue(), dialog }
}

/** Presses Tab until the control has focus. */
async function reach(desk: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible()
  for (let count = 0; count < 60; count++) {
    if ((await control.and(desk.locator(":focus")).count()) > 0) return
    await desk.keyboard.press("Tab")
  }
  throw new Error("no key leads there")
}

async function press(desk: Page, control: Locator): Promise<void> {
  await reach(desk, control)
  await desk.keyboard.press("Enter")
}

/** Everything that a page receives from now on: response bodies and stream events. */
async function record(context: BrowserContext, page: Page): Promise<() => Promise<string[]>> {
  const bodies: Promise<string>[] = []
  const network = await context.newCDPSession(page)
  await network.send("Network.enable")
  network.on("Network.eventSourceMessageReceived", ({ data }) => bodies.push(Promise.resolve(data)))
  page.on("response", (response) => {
    const isWhole = response.status() < 300 && !response.headers()["content-type"]?.includes("event-stream")
    // Responses that were still loading when the user left the page have no body.
    if (isWhole) bodies.push(response.body().then(String, () => ""))
  })
  return () => Promise.all(bodies)
}
