import AxeBuilder from "@axe-core/playwright"
import type { Page } from "@playwright/test"
import { createGate } from "./fixtures/gate.ts"
import { begin, expect, sessionOf, test } from "./fixtures/test.ts"

const write = (...items: [content: string, status: string][]) => ({
  tool: "todowrite",
  args: { todos: items.map(([content, status]) => ({ content, status, priority: "medium" })) },
})

const rail = (page: Page) => page.getByRole("region", { name: "Todos", exact: true })
const items = (page: Page) => rail(page).getByRole("list", { name: "Todos" }).getByRole("checkbox")
const choose = async (page: Page, item: string, action: string) => {
  await page.getByRole("button", { name: `Actions for ${item}` }).click()
  await page.getByRole("menuitem", { name: action }).click()
}

test("what a person changes in the list is told to the model at its next step", async ({ desk, model }) => {
  const gate = createGate()
  model.script({
    "Plan the work": [
      { calls: [write(["Read the code", "in_progress"], ["Write the code", "pending"], ["Ship it", "pending"])] },
      { calls: [{ tool: "glob", args: { pattern: "**/*.js" } }], gate },
      { text: "I saw your changes." },
    ],
  })
  await begin(desk, "Plan the work")
  await gate.reached
  await expect(rail(desk).getByText("0 of 3")).toBeVisible()

  await desk.getByRole("textbox", { name: "New todo" }).fill("Ask the users")
  await desk.keyboard.press("Enter")
  await expect(items(desk)).toHaveCount(4)
  await desk.getByRole("checkbox", { name: "Read the code, In progress" }).click()
  await expect(rail(desk).getByText("1 of 4")).toBeVisible()
  await choose(desk, "Write the code", "Edit")
  await desk.getByRole("textbox", { name: "Todo", exact: true }).fill("Write less code")
  await desk.getByRole("textbox", { name: "Description" }).fill("Half of it is enough.")
  await desk.getByRole("form", { name: "Edit Write the code" }).getByText("High").click()
  await desk.getByRole("button", { name: "Save" }).click()
  await expect(rail(desk).getByText("high priority")).toBeAttached()
  await choose(desk, "Ship it", "Delete")
  await expect(items(desk)).toHaveCount(3)
  await desk.getByRole("button", { name: "Ask the users", exact: true }).focus()
  await desk.keyboard.press("Alt+ArrowUp")
  await expect(items(desk).nth(1)).toHaveAccessibleName("Ask the users, To do")

  gate.open()
  await expect(desk.getByText("I saw your changes.")).toBeVisible()
  const told = JSON.stringify(model.requests.at(-1)?.messages)
  expect(told).toContain("Ask the users")
  expect(told).toContain("Write less code")
  expect(told).toContain('removed #3 \\\\"Ship it\\\\"'.replaceAll("\\\\", "\\"))
})

test("a blocked item cannot start, and the page takes the attempt back", async ({ desk, model, client }) => {
  model.script({
    "Two steps": [{ calls: [write(["Dig the hole", "pending"], ["Plant the tree", "pending"])] }, { text: "Planned." }],
  })
  await begin(desk, "Two steps")
  await expect(desk.getByText("Planned.")).toBeVisible()
  const [dig, plant] = await client.todo.list.query({ sessionID: sessionOf(desk) })
  if (!dig || !plant) throw new Error("the list is not there")
  await client.todo.update.mutate({ todo: plant.id, dependsOn: [dig.id] })
  await expect(rail(desk).getByText(/^Waits for #\d+ Dig the hole$/)).toBeVisible()
  await choose(desk, "Plant the tree", "Start")
  await expect(desk.getByText(/is blocked by #\d+ "Dig the hole"/)).toBeVisible()
  await expect(desk.getByRole("checkbox", { name: "Plant the tree, To do" })).toBeVisible()
  const violations = (await new AxeBuilder({ page: desk }).include("[aria-label='Todos']").analyze()).violations
  expect(violations.map((it) => it.id)).toEqual([])
})

test("each item leads to the work on it, and the history to every state of the list", async ({ desk, model }) => {
  model.script({
    "Work through it": [
      { calls: [write(["Count the files", "in_progress"], ["Report", "pending"])] },
      { calls: [{ tool: "glob", args: { pattern: "**/*.js" } }] },
      { calls: [write(["Count the files", "completed"], ["Report", "in_progress"])] },
      { text: "Four files." },
    ],
  })
  await begin(desk, "Work through it")
  await expect(desk.getByText("Four files.")).toBeVisible()
  await desk.getByRole("button", { name: "Count the files", exact: true }).click()
  await desk.getByRole("list", { name: "Evidence" }).getByRole("button").click()
  await expect(desk).toHaveURL(/\?part=prt_/)

  await desk.getByRole("button", { name: "History" }).click()
  const dialog = desk.getByRole("dialog", { name: "History of the list" })
  await expect(dialog.getByText("1 of 2 done")).toBeVisible()
  const slider = dialog.getByRole("slider", { name: "Change of the list" })
  await slider.focus()
  await desk.keyboard.press("Home")
  await expect(dialog.getByText("0 of 1 done")).toBeVisible()
  await expect(slider).toHaveAttribute("aria-valuetext", /^1 of \d+: @build added/)
  await expect(dialog.getByRole("button", { name: "Show the call" })).toBeVisible()
})

test("the page of all todos adds tenant-wide items and follows those of sessions", async ({
  desk,
  client,
  projectID,
}) => {
  const session = await client.session.create.mutate({ projectID, title: "Garden" })
  await client.todo.create.mutate({ sessionID: session.id, content: "Water the plants" })
  await desk.getByRole("link", { name: "Memory" }).click()
  await expect(desk.getByRole("heading", { name: "Memory" })).toBeVisible()
  await desk.keyboard.press("g")
  await desk.keyboard.press("t")
  await expect(desk.getByRole("heading", { name: "Todos", exact: true })).toBeVisible()
  await expect(desk.getByRole("link", { name: "Garden" }).last()).toBeVisible()
  await desk.getByRole("textbox", { name: "New todo of no session" }).fill("Buy seeds")
  await desk.keyboard.press("Enter")
  const seeds = desk.getByRole("checkbox", { name: /^Buy seeds/ })
  await expect(seeds).toBeEnabled()
  expect(await client.todo.find.query({ scope: { kind: "tenant" } })).toMatchObject([{ content: "Buy seeds" }])

  // Somebody else's change shows by itself.
  const [item] = await client.todo.list.query({ sessionID: session.id })
  await client.todo.update.mutate({ todo: item?.id ?? "", content: "Water the roses" })
  await expect(desk.getByRole("checkbox", { name: /^Water the roses/ })).toBeVisible()

  await seeds.click()
  await expect(seeds).toHaveCount(0)
  await desk.getByRole("radiogroup", { name: "Show" }).getByText("Done").click()
  await expect(desk.getByRole("checkbox", { name: "Buy seeds, Done" })).toBeVisible()
  expect((await new AxeBuilder({ page: desk }).analyze()).violations.map((it) => it.id)).toEqual([])
})
