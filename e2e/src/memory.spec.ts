import { findViolations } from "./fixtures/find-violations.ts"
import { expect, test } from "./fixtures/test.ts"

test.use({ shared: true })

test("people add, find, correct, invalidate and delete what agents remember", { tag: "@journey" }, async ({
  desk,
  client,
  projectID,
}) => {
  await desk.getByRole("link", { name: "Memory" }).click()
  await expect(desk.getByText("Nothing is kept yet.")).toBeVisible()

  await desk.getByRole("button", { name: "Add", exact: true }).click()
  const form = desk.getByRole("form", { name: "New entry" })
  await form.getByText("Feedback").click()
  await form.getByRole("textbox", { name: "Title" }).fill("Prefers short answers")
  await form.getByRole("textbox", { name: "What to know" }).fill("Two sentences at most.")
  await form.getByRole("textbox", { name: "Tags, with commas between" }).fill("style, tone")
  await form.getByRole("button", { name: "Save" }).click()
  const list = desk.getByRole("list", { name: "Memory" })
  await expect(list.getByRole("listitem")).toHaveCount(1)
  expect(await client.memory.search.query({})).toMatchObject([{ type: "feedback", tags: ["style", "tone"] }])

  // A memory that an agent records appears by itself.
  await client.memory.create.mutate({
    type: "project",
    title: "Tests run with node",
    content: "node --test",
    projectID,
  })
  await expect(list.getByRole("listitem")).toHaveCount(2)
  await desk.getByRole("searchbox", { name: "Search memory" }).fill("sentences")
  await expect(list.getByRole("listitem")).toHaveCount(1)

  await list.getByRole("button", { name: /Prefers short answers/ }).click()
  await list.getByRole("button", { name: "Edit" }).click()
  await desk.getByRole("textbox", { name: "What to know" }).fill("Three sentences at most.")
  await desk.getByRole("button", { name: "Save" }).click()
  await expect(list.getByText("Three sentences at most.")).toBeVisible()
  expect(await findViolations(desk)).toEqual([])

  await list.getByRole("button", { name: "No longer holds" }).click()
  await expect(desk.getByText("No entry fits.")).toBeVisible()
  await desk.getByRole("button", { name: "Show outdated entries" }).click()
  const entry = list.getByRole("button", { name: /Prefers short answers/ })
  await expect(entry).toBeVisible()
  await entry.click()
  await list.getByRole("button", { name: "Delete" }).click()
  await expect(desk.getByText("No entry fits.")).toBeVisible()
  expect(await client.memory.search.query({ all: true })).toHaveLength(1)
})
