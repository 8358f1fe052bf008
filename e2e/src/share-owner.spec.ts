import { begin, expect, test } from "./fixtures/test.ts"

test.use({ shared: true })

const secret = `AKIA${"Q7XZ".repeat(4)}`

test("an owner sees what would be published, leaves a child out, publishes with a password, and ends it for who reads", async ({
  desk,
  model,
  browser,
}) => {
  const task = (description: string, prompt: string) => ({
    tool: "task",
    args: { description, prompt, subagent_type: "explore" },
  })
  model.script({
    "Look at both": [
      { text: "I ask two explorers.", calls: [task("Find the key", "Find it"), task("Private notes", "Read them")] },
      { text: "Both have answered." },
    ],
    "Find it": [{ text: `The key is ${secret}, as it stands there.` }],
    "Read them": [{ text: "Nobody else reads these notes." }],
  })
  await begin(desk, "Look at both")
  await expect(desk.getByText("Both have answered.")).toBeVisible()
  await desk.getByRole("textbox", { name: "Prompt" }).fill("/share")
  await desk.keyboard.press("Enter")

  const dialog = desk.getByRole("dialog", { name: "Share this session" })
  await expect(dialog.getByRole("button", { name: "Publish" })).toBeEnabled()
  await expect(dialog).not.toContainText(secret)
  const group = dialog.getByRole("button", { name: /AWS access key/ })
  await group.click()
  await expect(group).toHaveAttribute("aria-expanded", "true")
  await expect(dialog.getByText("The key is").first()).toBeVisible()
  await dialog.getByRole("combobox", { name: "What becomes of AWS access key" }).selectOption("Show")
  await dialog.getByRole("button", { name: "Keep it hidden" }).click()
  await dialog.getByRole("checkbox", { name: /Private notes/ }).uncheck()
  await dialog.getByLabel("Password", { exact: true }).fill("correct horse")
  await dialog.getByRole("button", { name: "Publish" }).click()
  const field = dialog.getByRole("textbox", { name: "Public link" })
  await expect(field).toHaveValue(/\/share\//)
  const url = await field.inputValue()
  await expect(dialog.getByText("Hidden: AWS access key", { exact: false })).toBeVisible()

  const stranger = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await stranger.newPage()
  expect((await page.goto(url))?.status()).toBe(404)
  await page.getByLabel("Has it a password?").fill("wrong horse")
  await page.getByRole("button", { name: "Open" }).click()
  await expect(page.getByText("That did not open it")).toBeVisible()
  await page.getByLabel("Has it a password?").fill("correct horse")
  await page.getByRole("button", { name: "Open" }).click()
  await expect(page.getByText("I ask two explorers.")).toBeVisible()
  await page
    .getByRole("link", { name: /Find the key/ })
    .first()
    .click()
  const words = page.getByRole("region", { name: "Transcript" })
  await expect(words.getByText("as it stands there")).toBeVisible()
  const content = await page.content()
  expect(content).toContain("redacted: AWS access key")
  for (const hidden of [secret, "Nobody else reads these notes"]) expect(content).not.toContain(hidden)
  await expect(page.getByRole("status")).toContainText("live")

  await dialog.getByRole("button", { name: "Revoke" }).click()
  await expect(dialog.getByText("No link is active.")).toBeVisible()
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible()
  expect((await page.goto(url))?.status()).toBe(404)
  await stranger.close()
})
