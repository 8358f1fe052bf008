import type { DocketClient } from "@docket/client"
import type { Page } from "@playwright/test"
import { createGate, type Gate } from "./fixtures/gate.ts"
import { expect, loaded, sessionOf, test } from "./fixtures/test.ts"

const countRoots = async (client: DocketClient) => (await client.session.list.query({})).items.length

/** Blocks the next script that the page requests, until the gate opens. */
async function holdNextScript(page: Page): Promise<Gate> {
  const gate = createGate()
  await page.route(
    "**/_next/static/chunks/*.js",
    async (route) => {
      await gate.wait()
      await route.continue()
    },
    { times: 1 },
  )
  return gate
}

/** Holds the page's calls whose address contains `name`, until the gate opens. */
async function holdCalls(page: Page, name: string): Promise<Gate> {
  const gate = createGate()
  await page.route(new RegExp(`/api/trpc/[^?]*${name}`), async (route) => {
    await gate.wait()
    await route.continue()
  })
  return gate
}

test("keys typed after the first prompt reach the new session's field", async ({ desk, client, model }) => {
  model.script({ "Say hello": [{ text: "Hello, Ada." }] })
  const prompt = desk.getByRole("textbox", { name: "Prompt" })
  const start = await holdCalls(desk, "session\\.start")
  const setting = await holdCalls(desk, "project\\.get")
  await expect(prompt).toBeFocused()
  await prompt.fill("Say hello")
  await desk.keyboard.press("Enter")
  await start.reached
  await desk.keyboard.type("now ")
  start.open()
  // The session's page is on screen, and its prompt field is not.
  await setting.reached
  await expect(prompt).toHaveCount(0)
  await desk.keyboard.type("nine g")
  setting.open()
  await expect(prompt).toHaveValue("now nine g")
  await expect(prompt).toBeFocused()
  await expect(desk).toHaveURL(/\/s\/ses_/)
  expect(await countRoots(client)).toBe(1)
})

test("another field that takes the focus meanwhile gets the keys", async ({ desk, model }) => {
  model.script({ "Say hello": [{ text: "Hello, Ada." }] })
  const prompt = desk.getByRole("textbox", { name: "Prompt" })
  const setting = await holdCalls(desk, "project\\.get")
  await prompt.fill("Say hello")
  await desk.keyboard.press("Enter")
  await setting.reached
  const search = desk.getByRole("searchbox", { name: "Search sessions" })
  // As a screen reader does it: without a key or a press.
  await search.focus()
  await desk.keyboard.type("hello")
  await expect(search).toHaveValue("hello")
  setting.open()
  await loaded(desk)
  await expect(prompt).toHaveValue("")
  await expect(search).toBeFocused()
})

test("keys typed while a first prompt fails are no shortcuts", async ({ desk }) => {
  const prompt = desk.getByRole("textbox", { name: "Prompt" })
  const gate = createGate()
  await desk.route(/session\.start/, async (route) => {
    await gate.wait()
    await route.abort()
  })
  await prompt.fill("Say hello")
  await desk.keyboard.press("Enter")
  await gate.reached
  await desk.keyboard.type("n")
  gate.open()
  await expect(desk.getByText("Docket cannot be reached, so nothing was sent.")).toBeVisible()
  await desk.keyboard.type("!")
  await expect(prompt).toHaveValue("Say hello!")
})

test.describe("on a phone", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

  test("a session that begins by touch opens no keyboard", async ({ desk, model }) => {
    model.script({ "Say hello": [{ text: "Hello, Ada." }] })
    const prompt = desk.getByRole("textbox", { name: "Prompt" })
    await prompt.fill("Say hello")
    // The finger takes the focus from the field.
    await desk.getByRole("button", { name: "Send" }).focus()
    await desk.getByRole("button", { name: "Send" }).tap()
    await expect(desk.getByRole("feed").getByText("Hello, Ada.")).toBeVisible()
    await loaded(desk)
    await expect(prompt).not.toBeFocused()
  })
})

test("a session begins with its first prompt and keeps the focus", { tag: "@journey" }, async ({
  desk,
  client,
  projectID,
  model,
}) => {
  model.script({ "Say hello": [{ text: "Hello, Ada." }], "these names": [{ text: "Ada and Grace." }] })
  const prompt = desk.getByRole("textbox", { name: "Prompt" })
  const focused = () => desk.evaluate("document.activeElement.tagName")

  // At the first visit, the page suggests prompts for this project.
  const guide = desk.getByRole("region", { name: "To begin" })
  await expect(guide.getByText("Docket runs coding agents in greeter")).toBeVisible()
  // There are no other users, so there is no visibility button.
  await expect(desk.getByRole("button", { name: /^Permissions:/ })).toBeVisible()
  await expect(desk.getByRole("button", { name: /^Seen by:/ })).toHaveCount(0)
  await expect(guide.getByRole("button")).toHaveText([/^Explain this project/, /^Run the tests/, /^Test src\/names.js/])
  await guide.getByRole("button", { name: /^Test src/ }).click()
  await expect(prompt).toHaveValue(/^Write tests for src\/names.js/)
  await expect(prompt).toBeFocused()
  await prompt.fill("")

  // Text typed while no field has focus goes nowhere.
  await desk.goto(new URL("/settings", desk.url()).href)
  await expect(desk.getByRole("heading", { name: "Settings" })).toBeVisible()
  await loaded(desk)
  await desk.keyboard.type("hello")
  await desk.keyboard.press("n")
  // Text typed before the page is ready goes to its prompt field.
  await desk.keyboard.type("explain this")
  await expect(desk).toHaveURL(/\/s\/new\?project=/)
  await expect(prompt).toBeFocused()
  await expect(prompt).toHaveValue("explain this")
  await prompt.fill("")
  await desk.getByRole("link", { name: "Todos", exact: true }).click()
  await expect(desk.getByRole("heading", { name: "Todos", exact: true })).toBeVisible()
  await desk.getByRole("button", { name: "New session" }).click()
  await expect(prompt).toBeFocused()
  // The same from the page itself.
  await desk.getByRole("button", { name: "New session" }).click()
  await expect(prompt).toBeFocused()
  // Keys pressed before a dialog is loaded go to the dialog.
  const palette = await holdNextScript(desk)
  await desk.keyboard.press("ControlOrMeta+KeyK")
  await palette.reached
  await desk.keyboard.type("new session inn")
  await desk.keyboard.press("Backspace")
  palette.open()
  await expect(desk.getByRole("textbox", { name: "Command palette" })).toHaveValue("new session in")
  await expect(prompt).toHaveValue("")
  await desk.keyboard.press("Enter")
  await expect(prompt).toBeFocused()
  expect(await countRoots(client)).toBe(0)
  const picker = await holdNextScript(desk)
  await desk.getByRole("button", { name: "Open project" }).click()
  await picker.reached
  await desk.keyboard.press("Escape")
  picker.open()

  // Focus returns to the element that opened the dialog.
  await desk.getByRole("button", { name: "Open project" }).click()
  await expect(desk.getByRole("textbox", { name: "Directory on this machine" })).toBeFocused()
  await desk.keyboard.press("Escape")
  await expect(desk.getByRole("dialog")).toHaveCount(0)
  await expect(desk.getByRole("button", { name: "Open project" })).toBeFocused()

  await prompt.fill("Say hello")
  await desk.keyboard.press("Enter")
  await desk.waitForURL(/\/s\/ses_/)
  await expect(prompt).toBeFocused()
  expect(await countRoots(client)).toBe(1)
  await expect(desk.getByRole("feed").getByText("Hello, Ada.")).toBeVisible()

  // Commands are listed after `/` and in the palette, with their keys.
  await prompt.fill("/re")
  const listed = desk.getByRole("listbox", { name: "Commands" }).getByRole("option")
  await expect(listed).toContainText([/^review.*Review changes/, /renameRename…/, /redoBring back what is undone/])
  await desk.keyboard.press("ArrowDown")
  await desk.keyboard.press("Enter")
  await desk.getByRole("textbox", { name: "Title" }).fill("Greetings")
  await desk.keyboard.press("Enter")
  await expect(desk.getByRole("heading", { name: "Greetings" })).toBeVisible()
  await expect(prompt).toBeFocused()
  await expect(prompt).toHaveValue("")
  await desk.keyboard.press("ControlOrMeta+KeyK")
  await desk.getByRole("textbox", { name: "Command palette" }).fill("prompt undo")
  await expect(desk.getByRole("button", { name: /^Undo the last prompt/ })).toContainText("/undo")
  await desk.keyboard.press("Escape")
  await expect(prompt).toBeFocused()

  // A file is attached as a chip.
  await desk.locator("input[type=file]").setInputFiles({
    name: "notes.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("Ada and Grace"),
  })
  await expect(desk.getByRole("list", { name: "Attached files" })).toContainText("notes.txt")
  await prompt.fill("Who are these names?")
  await desk.getByRole("button", { name: "Send" }).click()
  await expect(desk.getByRole("feed").getByText("notes.txt")).toBeVisible()
  await expect(desk.getByRole("feed").getByText("Ada and Grace.")).toBeVisible()
  expect(JSON.stringify(model.requests.at(-1))).toContain("<file path=")
  await expect(desk.getByRole("list", { name: "Attached files" })).toHaveCount(0)

  // The search finds text of the session, and the hit opens at its row.
  await desk.getByRole("searchbox", { name: "Search sessions" }).fill("HELLO say")
  const hit = desk.getByRole("link", { name: /Say hello\s*Prompt in/ })
  await expect(hit.locator("mark")).toHaveText(["Say", "hello"])
  await hit.click()
  await expect(desk).toHaveURL(/\?part=prt_/)
  await desk.getByRole("searchbox", { name: "Search sessions" }).fill("")

  // When a focused row is removed, its neighbour gets focus.
  const other = await client.session.create.mutate({ projectID, title: "Another one" })
  const row = desk.locator(`[data-session="${other.id}"]`)
  await row.click({ button: "right" })
  await desk.getByRole("menuitem", { name: "Delete…" }).click()
  await desk.getByRole("button", { name: "Delete", exact: true }).click()
  await expect(row).toHaveCount(0)
  await expect.poll(focused).not.toBe("BODY")
  await desk.locator(`[data-session="${sessionOf(desk)}"]`).click({ button: "right" })
  await desk.getByRole("menuitem", { name: "Delete…" }).click()
  await desk.getByRole("button", { name: "Delete", exact: true }).click()
  await expect(desk.getByRole("heading", { name: "Inbox" })).toBeVisible()
  await expect(prompt).toBeFocused()

  // A palette that is still loading handles the keys in order, including Enter.
  await client.session.create.mutate({ projectID, title: "The newest" })
  await desk.goto(new URL("/settings", desk.url()).href)
  await expect(desk.getByRole("heading", { name: "Settings" })).toBeVisible()
  await loaded(desk)
  const cold = await holdNextScript(desk)
  await desk.keyboard.press("ControlOrMeta+KeyK")
  await cold.reached
  await desk.keyboard.type("wrong")
  await desk.keyboard.press("ControlOrMeta+KeyA")
  await desk.keyboard.type("odos")
  await desk.keyboard.press("Home")
  await desk.keyboard.type("t")
  await desk.keyboard.press("Enter")
  cold.open()
  await expect(desk).toHaveURL(/\/todos$/)
  await expect(desk.getByRole("heading", { name: "Todos", exact: true })).toBeVisible()
})
