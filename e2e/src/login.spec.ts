import { expect, test } from "./fixtures/test.ts"

test("nobody gets in without the link, and the link works once", { tag: "@journey" }, async ({
  page,
  server,
  browser,
}) => {
  await page.goto(server.url)
  await expect(page.getByRole("heading", { name: "Open Docket with its login link" })).toBeVisible()
  await page.goto(server.loginUrl)
  await expect(page.getByRole("heading", { name: "Inbox" })).toBeVisible()
  await page.reload()
  await expect(page.getByRole("heading", { name: "Inbox" })).toBeVisible()

  const stranger = await browser.newContext()
  const second = await stranger.newPage()
  await second.goto(server.loginUrl)
  await expect(second.getByRole("heading", { name: "This link does not work any more" })).toBeVisible()
  await stranger.close()
})
