import type { DocketClient } from "@docket/client"
import { expect, sessionOf, test } from "./fixtures/test.ts"

const roots = async (client: DocketClient) => (await client.session.list.query({})).items.length

test("a session begins with its first prompt, and focus is never on nothing", async ({ desk, client, projectID }) => {
  const prompt = desk.getByRole("textbox", { name: "Prompt" })
  const focused = () => desk.evaluate("document.activeElement.tagName")

  // Keys where nothing has focus.
  await desk.goto(new URL("/settings", desk.url()).href)
  await expect(desk.getByRole("heading", { name: "Settings" })).toBeVisible()
  await desk.keyboard.type("hello again")
  await desk.keyboard.press("n")
  await expect(desk).toHaveURL(/\/s\/new\?project=/)
  await expect(prompt).toBeFocused()
  await desk.getByRole("link", { name: "Todos", exact: true }).click()
  await desk.getByRole("button", { name: "New session" }).click()
  await expect(prompt).toBeFocused()
  // From the page itself, too.
  await desk.getByRole("button", { name: "New session" }).click()
  await expect(prompt).toBeFocused()
  await desk.keyboard.press("ControlOrMeta+KeyK")
  await desk.getByRole("textbox", { name: "Command palette" }).fill("new session in")
  await desk.keyboard.press("Enter")
  await expect(prompt).toBeFocused()
  expect(await roots(client)).toBe(0)

  // What opened a dialog has focus again.
  await desk.getByRole("button", { name: "Open project" }).click()
  await desk.keyboard.press("Escape")
  await expect(desk.getByRole("button", { name: "Open project" })).toBeFocused()

  await prompt.fill("Say hello")
  await desk.keyboard.press("Enter")
  await desk.waitForURL(/\/s\/ses_/)
  await expect(prompt).toBeFocused()
  expect(await roots(client)).toBe(1)

  // A row that goes takes its focus to its neighbour.
  const other = await client.session.create.mutate({ projectID, title: "Another one" })
  const row = desk.locator(`[data-session="${other.id}"]`)
  await row.click({ button: "right" })
  await desk.getByRole("menuitem", { name: "Delete…" }).click()
  await desk.getByRole("button", { name: "Delete", exact: true }).click()
  await expect(row).toHaveCount(0)
  expect(await focused()).not.toBe("BODY")
  await desk.locator(`[data-session="${sessionOf(desk)}"]`).click({ button: "right" })
  await desk.getByRole("menuitem", { name: "Delete…" }).click()
  await desk.getByRole("button", { name: "Delete", exact: true }).click()
  await expect(desk.getByRole("heading", { name: "Inbox" })).toBeVisible()
  await expect(prompt).toBeFocused()
})
