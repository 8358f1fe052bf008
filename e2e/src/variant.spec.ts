import { begin, expect, send, test } from "./fixtures/test.ts"

test.use({ shared: true })

test("the thinking level is chosen, kept, sent and shown with the answer", async ({ desk: page, model }) => {
  model.script({ "Think it over": [{ text: "Thought over." }], "And now": [{ text: "As the model is set." }] })
  const picker = page.getByRole("button", { name: /^Variant:/ })
  // The session's first model has no thinking variants.
  await expect(page.getByRole("button", { name: /^Model:/ })).toBeVisible()
  await expect(picker).toHaveCount(0)
  await page.getByRole("button", { name: /^Model:/ }).click()
  await expect(page.getByRole("option", { name: "Priced" })).toHaveText(
    /200K context · 8\.2K output · \$3 in, \$15 out$/,
  )
  await page.getByRole("option", { name: "Thinker" }).filter({ hasText: "reasons" }).click()
  await expect(picker).toHaveText("default")
  await picker.click()
  await expect(page.getByRole("menuitem")).toHaveText([/^default/, "low", "medium", "high"])
  await page.getByRole("menuitem", { name: "high" }).click()
  await begin(page, "Think it over")
  await expect(page.getByText("Thought over.")).toBeVisible()
  await expect(picker).toHaveText("high")
  await expect(page.getByText("thinker high")).toBeVisible()
  expect(model.requests.at(-1)).toMatchObject({ reasoning_effort: "high" })

  await page.reload()
  await picker.click()
  await page.getByRole("menuitem", { name: "default" }).click()
  await expect(picker).toHaveText("default")
  await send(page, "And now")
  await expect(page.getByText("As the model is set.")).toBeVisible()
  expect(model.requests.at(-1)).toMatchObject({ reasoning_effort: "medium" })
})
