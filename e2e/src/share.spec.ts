import type { Page } from "@playwright/test"
import { createGate } from "./fixtures/gate.ts"
import { begin, expect, test } from "./fixtures/test.ts"

test.use({ shared: true })

/** Makes a link with the share dialog and reads it there. */
async function share(desk: Page): Promise<string> {
  await desk.getByRole("button", { name: "Share" }).click()
  const dialog = desk.getByRole("dialog")
  await dialog.getByRole("button", { name: /create|make/i }).click()
  const field = dialog.getByRole("textbox")
  await expect(field).toHaveValue(/\/share\//)
  return await field.inputValue()
}

test("a share link is read without a login, follows the work live, and ends when it is revoked", async ({
  desk,
  model,
  browser,
}) => {
  const gate = createGate()
  model.script({
    "Explain the greeting": [
      {
        text: "I ask an explorer.",
        calls: [
          {
            tool: "task",
            args: { description: "Read the greeting", prompt: "Read it", subagent_type: "explore" },
          },
          {
            tool: "todowrite",
            args: { todos: [{ content: "Explain", status: "in_progress", priority: "high" }] },
          },
        ],
      },
      { text: "It joins hello and the name.", gate },
    ],
    "Read it": [
      { calls: [{ tool: "read", args: { filePath: "src/greeting.js" } }] },
      { text: "One function, one line." },
    ],
  })
  await begin(desk, "Explain the greeting")
  await gate.reached
  const url = await share(desk)

  const stranger = await browser.newContext()
  const page = await stranger.newPage()
  await page.goto(url)
  await expect(page.getByText("I ask an explorer.")).toBeVisible()
  await expect(page.getByRole("textbox", { name: "Prompt" })).toHaveCount(0)
  await expect(page.getByText("Explain", { exact: true }).first()).toBeVisible()
  gate.open()
  await expect(page.getByText("It joins hello and the name.")).toBeVisible()

  // Children are pages of the share.
  await page
    .getByRole("link", { name: /Read the greeting/ })
    .first()
    .click()
  await expect(page.getByRole("region", { name: "Transcript" }).getByText("One function, one line.")).toBeVisible()
  await page.goBack()

  await desk.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
  await expect(desk.getByRole("dialog").getByRole("button", { name: "Revoke" })).toHaveCount(0)
  await expect(async () => {
    await page.goto(url)
    await expect(page.getByText("It joins hello and the name.")).toHaveCount(0)
  }).toPass()
  await stranger.close()
})

test("an unknown share link says so and nothing else, in the reader's appearance", async ({ page, server }) => {
  await page.emulateMedia({ colorScheme: "dark" })
  const response = await page.goto(`${server.url}/share/aaaaaaaaaaaaaaaaaaaaaa`)
  expect(response?.status()).toBe(404)
  await expect(page.getByRole("heading").first()).toBeVisible()
  await expect(page.locator("html")).toHaveCSS("color-scheme", "dark")
})
