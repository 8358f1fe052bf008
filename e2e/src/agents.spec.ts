import { begin, expect, test } from "./fixtures/test.ts"

test.use({ shared: true })

const file = ".docket/agents/wording.md"

test("an agent from the page works; saving over a changed file asks", {
  tag: "@journey",
}, async ({ desk, model, project, server }) => {
  const work = { description: "Look at the words", prompt: "Read the README", subagent_type: "wording" }
  model.script({
    "Check the words": [{ calls: [{ tool: "task", args: work }] }, { text: "The words are fine." }],
    "Read the README": [{ text: "It says what it does." }],
  })
  await desk.goto(`${server.url}/agents`)
  await expect(desk.getByRole("list", { name: "Built in" }).getByRole("button", { name: /^build/ })).toBeVisible()
  await desk.getByRole("button", { name: "New agent" }).click()
  const form = desk.getByRole("form", { name: "New agent" })
  await expect(form.getByLabel("What it is for")).toBeVisible()
  await form.getByLabel("Name").fill("wording")
  await form.getByLabel("What it is for").fill("Looks at words.")
  await form.getByLabel("It may do").selectOption({ label: "Reads and searches only" })
  await form.getByLabel("How it works").fill("You look at words.")
  await form.getByRole("button", { name: "Create" }).click()
  const row = desk.getByRole("button", { name: /^wording/ })
  await expect(row).toContainText("the project’s .docket/agents/wording.md")
  expect(await project.read(file)).toContain("You look at words.")

  await row.click()
  await expect(desk.getByRole("list", { name: "Rights of wording" })).toContainText("May do nothing else")

  await desk.goto(server.url)
  await begin(desk, "Check the words")
  await expect(desk.getByText("The words are fine.")).toBeVisible()
  const given = model.requests.filter((request) => JSON.stringify(request).includes("You look at words."))
  expect(given.length).toBeGreaterThan(0)

  await desk.goto(`${server.url}/agents`)
  await row.click()
  await desk.getByRole("button", { name: "Edit", exact: true }).click()
  const edit = desk.getByRole("form", { name: "Edit wording" })
  await expect(edit.getByLabel("What it is for")).toHaveValue("Looks at words.")
  await edit.getByLabel("What it is for").fill("Looks twice.")
  await project.write(file, "---\ndescription: Theirs.\n---\n\nYou are theirs.\n")
  await edit.getByRole("button", { name: "Save" }).click()
  const conflict = desk.getByRole("region", { name: "Conflict" })
  await expect(conflict).toBeFocused()
  await expect(conflict.getByRole("textbox", { name: "Yours" })).toHaveValue(/Looks twice\.[\s\S]*You look at words\./)
  await expect(conflict.getByRole("textbox", { name: "On disk" })).toHaveValue(/You are theirs\./)
  expect(await project.read(file)).toContain("You are theirs.")
  await conflict.getByRole("button", { name: "Save yours in its place" }).click()
  await expect(conflict).toHaveCount(0)
  expect(await project.read(file)).toContain("Looks twice.")
  // The project's agents are not trusted, so the page without them is checked too.
  await expect(desk.getByText("Not in force:")).toBeVisible()
  await expect(row).toHaveCount(0)
  await desk.getByRole("button", { name: "Review and trust…" }).click()
  const dialog = desk.getByRole("dialog", { name: "Trust what this project brings?" })
  await expect(dialog.getByText("Looks twice.")).toBeVisible()
  await dialog.getByRole("button", { name: "Trust all of this" }).click()
  await expect(row).toContainText("Looks twice.")
  await expect(desk.getByText("Not in force:")).toHaveCount(0)
})
