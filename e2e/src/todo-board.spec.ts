import type { Page } from "@playwright/test"
import { findViolations } from "./fixtures/find-violations.ts"
import { createGate } from "./fixtures/gate.ts"
import { begin, expect, send, sessionOf, test } from "./fixtures/test.ts"

const write = (...items: [content: string, status: string][]) => ({
  tool: "todowrite",
  args: { todos: items.map(([content, status]) => ({ content, status, priority: "medium" })) },
})

// The agents tab is on top while tasks run.
const showTodos = (page: Page) => page.getByRole("tab", { name: "Todos" }).click()
const rail = (page: Page) => page.getByRole("region", { name: "Todos", exact: true })
const items = (page: Page) => rail(page).getByRole("list", { name: "Todos" }).getByRole("checkbox")
const choose = async (page: Page, item: string, action: string) => {
  await page.getByRole("button", { name: `Actions for ${item}` }).click()
  await page.getByRole("menuitem", { name: action }).click()
}

test("a person's change of the list reaches the model's next step", { tag: "@journey" }, async ({
  desk,
  model,
  client,
}) => {
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
  await expect(desk.getByRole("button", { name: "Actions for Ask the users" })).toBeVisible()
  await desk.getByRole("checkbox", { name: "Read the code, In progress" }).click()
  await expect(rail(desk).getByText("1 of 4")).toBeVisible()
  await choose(desk, "Write the code", "Edit")
  await desk.getByRole("textbox", { name: "Todo", exact: true }).fill("Write less code")
  await desk.getByRole("textbox", { name: "Description" }).fill("Half of it is enough.")
  await desk.getByRole("form", { name: "Edit Write the code" }).getByText("High").click()
  await desk.getByRole("textbox", { name: "Todo", exact: true }).press("Enter")
  await expect(desk.getByRole("button", { name: "Write less code", exact: true })).toBeVisible()
  await expect(rail(desk).getByText("high priority")).toBeAttached()
  await choose(desk, "Ship it", "Delete")
  await expect(items(desk)).toHaveCount(3)
  await desk.getByRole("button", { name: "Ask the users", exact: true }).focus()
  await desk.keyboard.press("Alt+ArrowUp")
  await expect(items(desk).nth(1)).toHaveAccessibleName("Ask the users, To do")

  // The page shows changes before they are stored.
  const stored = async () => (await client.todo.list.query({ sessionID: sessionOf(desk) })).map((it) => it.content)
  await expect.poll(stored).toEqual(["Read the code", "Ask the users", "Write less code"])
  gate.open()
  await expect(desk.getByText("I saw your changes.")).toBeVisible()
  const told = JSON.stringify(model.requests.at(-1)?.messages)
  expect(told).toContain("Ask the users")
  expect(told).toContain("Write less code")
  expect(told).toContain('removed #3 \\"Ship it\\"')
})

test("a task proposes its todo as done; a person accepts or dismisses", async ({ desk, model, client }) => {
  const serve = (description: string, todo: string) => ({
    tool: "task",
    args: { description, prompt: `${description}.`, subagent_type: "explore", todo },
  })
  model.script({
    "Have two things done": [
      { calls: [write(["Read the names", "in_progress"], ["Read the tests", "pending"], ["Report", "pending"])] },
      { calls: [serve("Look at the names", "1"), serve("Look at the tests", "2")] },
      { text: "Both have looked." },
    ],
    "Look at the names.": [{ text: "Two names." }],
    "Look at the tests.": [{ text: "One test." }],
    "What is done": [{ text: "The names." }],
  })
  await begin(desk, "Have two things done")
  await showTodos(desk)
  await expect(desk.getByText("Both have looked.")).toBeVisible()
  const names = items(desk).nth(0).locator("xpath=ancestor::li")
  const tests = items(desk).nth(1).locator("xpath=ancestor::li")
  // No item is ticked automatically.
  await expect(rail(desk).getByText("0 of 3")).toBeVisible()
  await expect(names.getByText("Look at the names has ended.")).toBeVisible()
  await expect(tests.getByText("Look at the tests has ended.")).toBeVisible()

  await names.getByRole("button", { name: "Accept" }).click()
  await expect(desk.getByRole("checkbox", { name: "Read the names, Done" })).toBeVisible()
  await expect(rail(desk).getByText("1 of 3")).toBeVisible()
  await expect(names.getByRole("button", { name: "Accept" })).toHaveCount(0)
  await tests.getByRole("button", { name: "Dismiss" }).click()
  await expect(rail(desk).getByRole("button", { name: "Dismiss" })).toHaveCount(0)
  await expect(desk.getByRole("checkbox", { name: "Read the tests, To do" })).toBeVisible()
  await expect(async () => {
    const list = await client.todo.list.query({ sessionID: sessionOf(desk) })
    expect(list.map(({ status, proposed }) => [status, proposed])).toEqual([
      ["completed", null],
      ["pending", null],
      ["pending", null],
    ])
  }).toPass()

  await send(desk, "What is done")
  await expect(desk.getByText("The names.")).toBeVisible()
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toMatch(/The user set #1 .+ to completed/)
})

test("the task behind a proposal opens from it", async ({ desk, model }) => {
  model.script({
    "Have one thing done": [
      { calls: [write(["Read the names", "in_progress"])] },
      {
        calls: [
          {
            tool: "task",
            args: { description: "Look around", prompt: "Look around once.", subagent_type: "explore", todo: "1" },
          },
        ],
      },
      { text: "It has looked." },
    ],
    "Look around once.": [{ text: "Seen." }],
  })
  await begin(desk, "Have one thing done")
  await showTodos(desk)
  await expect(desk.getByText("It has looked.")).toBeVisible()
  await rail(desk).getByRole("button", { name: "Look around" }).click()
  await expect(desk).toHaveURL(/\/c\/ses_/)
  await expect(desk.getByRole("heading", { name: "Look around", level: 1 })).toBeVisible()
})

test.describe("beside other sessions", () => {
  test.use({ shared: true })

  test.describe("with a subagent that plans", () => {
    const planner = { mode: "subagent", description: "Plans.", permission: { todowrite: "allow" } }
    test.use({ config: { agent: { planner } } })

    test("a subagent's list is shown below the parent's, live and read-only", async ({ desk, model }) => {
      const gate = createGate()
      model.script({
        "Have it planned": [
          {
            calls: [
              { tool: "task", args: { description: "Plan it", prompt: "Write a plan.", subagent_type: "planner" } },
            ],
          },
          { text: "It is planned." },
        ],
        "Write a plan.": [
          { calls: [write(["Measure", "in_progress"], ["Cut", "pending"])] },
          { calls: [write(["Measure", "completed"], ["Cut", "in_progress"])], gate },
          { text: "Measured." },
        ],
      })
      await begin(desk, "Have it planned")
      await showTodos(desk)
      await gate.reached
      const rollUp = desk.getByRole("region", { name: "Todos of subagents" })
      await expect(rollUp.getByText("0 of 2")).toBeVisible()
      gate.open()
      await expect(rollUp.getByText("1 of 2")).toBeVisible()
      await expect(desk.getByText("It is planned.")).toBeVisible()

      const list = rollUp.getByRole("list", { name: "Todos of Plan it" })
      await expect(list).toBeHidden()
      await rollUp.getByText("Plan it", { exact: true }).click()
      await expect(list.getByRole("listitem")).toHaveText(["Measure", "Cut"])
      await expect(rollUp.getByRole("checkbox")).toHaveCount(0)
      await expect(items(desk)).toHaveCount(0)
      expect(await findViolations(desk, { within: "[aria-label='Todos']" })).toEqual([])
      await rollUp.getByRole("button", { name: "Open @planner" }).click()
      await expect(desk).toHaveURL(/\/c\/ses_/)
      // In its own session, the list can be edited.
      await expect(items(desk)).toHaveCount(2)
    })
  })

  test("items are ordered by pointer, by keyboard and by menu", async ({ desk, client, projectID, server }) => {
    const { id: sessionID } = await client.session.create.mutate({ projectID })
    for (const content of ["One", "Two", "Three", "Four"]) await client.todo.create.mutate({ sessionID, content })
    await desk.goto(`${server.url}/s/${sessionID}`)
    const shown = rail(desk).getByRole("list", { name: "Todos" }).getByRole("listitem")
    await expect(shown).toHaveText(["One", "Two", "Three", "Four"])
    const stored = async () => (await client.todo.list.query({ sessionID })).map(({ content }) => content)
    const expectOrder = async (...order: string[]) => {
      await expect(shown).toHaveText(order)
      await expect(async () => expect(await stored()).toEqual(order)).toPass()
    }
    const drag = async (from: number, to: number, place: "above" | "below") => {
      const target = shown.nth(to)
      const height = (await target.boundingBox())?.height ?? 0
      await shown.nth(from).hover()
      await shown
        .nth(from)
        .locator("[draggable=true]")
        .dragTo(target, { targetPosition: { x: 40, y: place === "above" ? 3 : height - 3 } })
    }
    await drag(3, 0, "above")
    await expectOrder("Four", "One", "Two", "Three")
    await drag(0, 2, "below")
    await expectOrder("One", "Two", "Four", "Three")
    // Dropped at its own position: nothing changes.
    await drag(1, 1, "below")
    await expectOrder("One", "Two", "Four", "Three")

    const four = desk.getByRole("button", { name: "Four", exact: true })
    await four.focus()
    await desk.keyboard.press("Alt+ArrowDown")
    await expectOrder("One", "Two", "Three", "Four")
    await expect(four).toBeFocused()
    await expect(desk.getByText("Moved to place 4")).toBeAttached()
    // The last item cannot move further down.
    await desk.keyboard.press("Alt+ArrowDown")
    await desk.keyboard.press("Alt+ArrowUp")
    await desk.keyboard.press("Alt+ArrowUp")
    await expectOrder("One", "Four", "Two", "Three")

    await choose(desk, "One", "Move down")
    await expectOrder("Four", "One", "Two", "Three")
  })

  test("the history shows each change, also one that empties the list", async ({ desk, client, projectID, server }) => {
    const { id: sessionID } = await client.session.create.mutate({ projectID })
    const first = await client.todo.create.mutate({ sessionID, content: "Dig" })
    const second = await client.todo.create.mutate({ sessionID, content: "Plant" })
    await client.todo.update.mutate({ todo: first.id, status: "completed" })
    await client.todo.remove.mutate({ todo: first.id })
    await client.todo.update.mutate({ todo: second.id, content: "Plant a tree" })
    await desk.goto(`${server.url}/s/${sessionID}`)
    await rail(desk).getByRole("button", { name: "History" }).click()
    const dialog = desk.getByRole("dialog", { name: "History of the list" })
    const list = dialog.getByRole("list", { name: "The list then" }).getByRole("listitem")
    const marked = dialog.locator("[data-marked=true]")
    const before = dialog.getByRole("button", { name: "Change before" })
    const after = dialog.getByRole("button", { name: "Change after" })

    await expect(dialog.getByText("You reworded “Plant” to “Plant a tree”")).toBeVisible()
    await expect(list).toHaveText(["Plant a tree"])
    await expect(marked).toHaveText("Plant a tree")
    await expect(after).toBeDisabled()
    await before.click()
    await expect(dialog.getByText("You deleted “Dig”")).toBeVisible()
    await expect(list).toHaveText(["Plant"])
    await before.click()
    await expect(dialog.getByText("You set “Dig” to done")).toBeVisible()
    await expect(list).toHaveText(["Dig", "Plant"])
    await expect(dialog.getByText("1 of 2 done")).toBeVisible()
    await dialog.getByRole("slider").press("Home")
    await expect(list).toHaveText(["Dig"])
    await expect(before).toBeDisabled()
    expect(await findViolations(desk, { within: "[role=dialog]" })).toEqual([])

    // At the newest change, the slider follows the changes of others.
    await dialog.getByRole("slider").press("End")
    await client.todo.remove.mutate({ todo: second.id })
    await expect(dialog.getByText("You deleted “Plant a tree”")).toBeVisible()
    await expect(dialog.getByText("The list is empty.")).toBeVisible()
    await desk.keyboard.press("Escape")
    await rail(desk).getByRole("button", { name: "History" }).click()
    await expect(dialog.getByText("6 of 6")).toBeVisible()
  })

  test("a blocked item cannot start, and the page takes the attempt back", async ({ desk, model, client }) => {
    model.script({
      "Two steps": [
        { calls: [write(["Dig the hole", "pending"], ["Plant the tree", "pending"])] },
        { text: "Planned." },
      ],
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
    expect(await findViolations(desk, { within: "[aria-label='Todos']" })).toEqual([])
  })

  test("a todo opens its evidence, and the history every earlier state", async ({ desk, model }) => {
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
    await expect(dialog.getByRole("button", { name: "Close" })).toBeFocused()
    const slider = dialog.getByRole("slider", { name: "Change of the list" })
    await slider.press("Home")
    await expect(dialog.getByText("0 of 1 done")).toBeVisible()
    await expect(slider).toHaveAttribute("aria-valuetext", /^1 of \d+: @build added/)
    await expect(dialog.getByRole("button", { name: "Show the call" })).toBeVisible()
  })
})

test("the page of all todos adds tenant-wide items and follows sessions", async ({ desk, client, projectID }) => {
  const session = await client.session.create.mutate({ projectID, title: "Garden" })
  await client.todo.create.mutate({ sessionID: session.id, content: "Water the plants" })
  await desk.getByRole("link", { name: "Memory" }).click()
  await expect(desk.getByRole("heading", { name: "Memory" })).toBeVisible()
  const go = { t: "Todos", m: "Memory" }
  for (const key of ["t", "m", "t"] as const) {
    await desk.keyboard.press("g")
    await desk.keyboard.press(key)
    await expect(desk.getByRole("heading", { name: go[key], exact: true })).toBeVisible()
  }
  await expect(desk.getByRole("link", { name: "Garden" }).last()).toBeVisible()
  await desk.getByRole("textbox", { name: "New todo of no session" }).fill("Buy seeds")
  await desk.keyboard.press("Enter")
  const seeds = desk.getByRole("checkbox", { name: /^Buy seeds/ })
  await expect(seeds).toBeEnabled()
  expect(await client.todo.find.query({ scope: { kind: "tenant" } })).toMatchObject([{ content: "Buy seeds" }])

  // A change by someone else appears by itself.
  const [item] = await client.todo.list.query({ sessionID: session.id })
  await client.todo.update.mutate({ todo: item?.id ?? "", content: "Water the roses" })
  await expect(desk.getByRole("checkbox", { name: /^Water the roses/ })).toBeVisible()

  await seeds.click()
  await expect(seeds).toHaveCount(0)
  await desk.getByRole("radiogroup", { name: "Show" }).getByText("Done").click()
  await expect(desk.getByRole("checkbox", { name: "Buy seeds, Done" })).toBeVisible()
  expect(await findViolations(desk)).toEqual([])
})

test("the page of all todos filters every list and names sessions", async ({ desk, client, projectID }) => {
  const { id: sessionID } = await client.session.create.mutate({ projectID, title: "Garden" })
  const add = async (content: string, status: "pending" | "in_progress" | "completed" | "cancelled", wide = false) => {
    const todo = await client.todo.create.mutate({ sessionID: wide ? null : sessionID, content })
    if (status !== "pending") await client.todo.update.mutate({ todo: todo.id, status })
  }
  await add("Dig", "in_progress")
  await add("Plant", "pending")
  await add("Measure", "completed")
  await add("Pave", "cancelled")
  await add("Buy seeds", "pending", true)
  await add("Find a shop", "completed", true)
  // Titles are shown even for sessions that are not on the rail's newest page.
  for (let index = 0; index < 60; index++) await client.session.create.mutate({ projectID, title: `Later ${index}` })
  await desk.getByRole("link", { name: "Todos" }).click()
  const group = (name: string) => desk.locator("section", { has: desk.getByRole("heading", { name }) })
  const shown = (name: string) => group(name).getByRole("listitem")
  await expect(shown("No session")).toHaveText(["Buy seeds"])
  await expect(shown("Garden")).toHaveText(["Dig", "Plant"])

  const filter = desk.getByRole("radiogroup", { name: "Show" })
  await filter.getByText("Done").click()
  await expect(shown("No session")).toHaveText(["Find a shop"])
  await expect(shown("Garden")).toHaveText(["Measure", "Pave"])
  await filter.getByText("All").click()
  await expect(desk.getByRole("main").getByRole("checkbox")).toHaveCount(6)

  // An item disappears when it no longer matches the filter.
  await filter.getByText("Open").click()
  await desk.getByRole("checkbox", { name: "Plant, To do" }).click()
  await expect(shown("Garden")).toHaveText(["Dig"])
  await group("Garden").getByRole("link", { name: "Garden" }).click()
  await expect(desk).toHaveURL(new RegExp(`/s/${sessionID}$`))
})
