import { begin, expect, sessionOf, test } from "./fixtures/test.ts"

test.use({ config: null })

test("the rehearsal model explores a real git project and names itself", { tag: "@journey" }, async ({
  desk,
  client,
}) => {
  // Shown only once: by the guide before the first session, then by the composer.
  const note = desk.getByText("Rehearsal: no language model connected.")
  await expect(desk.getByText("No language model is connected: a rehearsal answers")).toBeVisible()
  await expect(note).toHaveCount(0)
  await begin(desk, "Where is the greeting made?")
  await expect(note).toBeVisible()
  await desk.getByRole("tab", { name: "Todos" }).click()

  const todos = desk.getByRole("region", { name: "Todos" })
  await expect(todos.getByRole("listitem").first()).toBeVisible()
  await expect(desk.getByRole("button", { name: /^Open task .*, completed:/ }).first()).toBeVisible()

  const progress = todos.getByRole("progressbar", { name: "Todos done" })
  await expect(async () => {
    expect(await progress.getAttribute("value")).toBe(await progress.getAttribute("max"))
  }).toPass()
  await expect(desk.getByRole("feed").getByText("src/greeting.js").last()).toBeVisible()
  await expect(desk.getByRole("button", { name: "Stop", exact: true })).toHaveCount(0)

  const sessionID = sessionOf(desk)
  const children = await client.session.children.query({ sessionID })
  expect(children.length).toBeGreaterThanOrEqual(2)
  expect(children.every((child) => child.title.includes("(@explore subagent)"))).toBe(true)
})
