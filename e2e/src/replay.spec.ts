import { findViolations } from "./fixtures/find-violations.ts"
import { runSampleSession } from "./fixtures/sample-session.ts"
import { expect, test } from "./fixtures/test.ts"

test.use({ shared: true })

test("a session is replayed by keys, event by event, to a moment that its address keeps, and back to now", async ({
  desk,
  client,
  model,
  projectID,
}) => {
  const { rootID } = await runSampleSession(client, model, projectID)
  await desk.goto(`/s/${rootID}`)
  const feed = desk.getByRole("feed")
  await expect(feed).toContainText("greets each name")
  await desk.getByRole("button", { name: "Replay" }).click()
  const slider = desk.getByRole("slider", { name: "Time of the session" })
  await slider.focus()
  await expect(feed).toContainText("greets each name")

  await slider.press("Home")
  await expect(desk).toHaveURL(/\?at=\d+$/)
  await expect(feed).toHaveCount(0)
  const prompt = feed.getByText("take a comma-separated list")
  for (let events = 0; events < 40 && (await prompt.count()) === 0; events++) await slider.press("ArrowRight")
  await expect(prompt).toBeVisible()
  await expect(feed).not.toContainText("greets each name")
  const then = desk.getByRole("complementary", { name: "The tree then" })
  await expect(then).toContainText("1 session, 1 running")
  expect(await findViolations(desk, { within: "main" })).toEqual([])

  const address = desk.url()
  await desk.goto(address)
  await expect(prompt).toBeVisible()
  await expect(feed).not.toContainText("greets each name")
  await desk.getByRole("button", { name: "Live" }).click()
  await expect(desk.getByRole("textbox", { name: "Prompt" })).toBeVisible()
  await expect(desk).toHaveURL(new RegExp(`/s/${rootID}$`))
  await expect(feed).toContainText("greets each name")
})
