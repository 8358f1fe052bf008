import { createGate } from "./fixtures/gate.ts"
import { begin, expect, send, sessionOf, test } from "./fixtures/test.ts"

test.use({ shared: true })

const task = (description: string, prompt: string) => ({
  tool: "task",
  args: { description, prompt, subagent_type: "explore" },
})

test("a reload during a run shows the same state and continues", { tag: "@journey" }, async ({ desk, model }) => {
  const gate = createGate()
  model.script({
    "Describe the project": [
      { text: "I look around.", calls: [{ tool: "read", args: { filePath: "README.md" } }] },
      { text: "It prints a greeting.", gate },
    ],
  })
  await begin(desk, "Describe the project")
  await gate.reached
  await expect(desk.getByText("I look around.")).toBeVisible()

  await desk.reload()
  await expect(desk.getByText("I look around.")).toHaveCount(1)
  await expect(desk.getByRole("feed").getByText("README.md").first()).toBeVisible()
  await expect(desk.getByRole("button", { name: "Stop", exact: true })).toBeVisible()
  gate.open()
  await expect(desk.getByText("It prints a greeting.")).toHaveCount(1)
  await expect(desk.getByRole("button", { name: "Stop", exact: true })).toHaveCount(0)
})

test("two tabs show the same, also after one lost its network", async ({ desk, model, context, browser }) => {
  const gate = createGate()
  model.script({
    "Count the files": [{ calls: [{ tool: "glob", args: { pattern: "**/*.js" } }] }, { text: "There are four.", gate }],
    "Say more": [{ text: "Three in src, one in test." }],
  })
  await begin(desk, "Count the files")
  const elsewhere = await browser.newContext({ storageState: await context.storageState() })
  const second = await elsewhere.newPage()
  await second.goto(desk.url())
  await gate.reached
  await expect(second.getByText("Count the files").first()).toBeVisible()
  await expect(second.getByRole("button", { name: "Stop", exact: true })).toBeVisible()
  gate.open()
  for (const page of [desk, second]) await expect(page.getByText("There are four.")).toHaveCount(1)

  await elsewhere.setOffline(true)
  await send(desk, "Say more")
  await expect(desk.getByText("Three in src, one in test.")).toHaveCount(1)
  await elsewhere.setOffline(false)
  await expect(second.getByText("Three in src, one in test.")).toHaveCount(1)
  await elsewhere.close()
})

test("an edit that comes too late goes back to the prompt field", async ({ desk, model }) => {
  const gate = createGate()
  model.script({ "Count the files": [{ text: "There are four.", gate }], "Say more": [{ text: "Three in src." }] })
  await begin(desk, "Count the files")
  await gate.reached
  await send(desk, "Say more")
  await desk.getByRole("button", { name: "Edit", exact: true }).click()
  await desk.getByRole("textbox", { name: "Queued prompt" }).fill("Say it in French")
  gate.open()
  await expect(desk.getByText("Three in src.")).toHaveCount(1)
  await expect(desk.getByRole("textbox", { name: "Prompt", exact: true })).toHaveValue("Say it in French")
})

test("on a phone, buttons save and leave a queued prompt", async ({ desk, model }) => {
  const gate = createGate()
  model.script({ "Count the files": [{ text: "There are four.", gate }], "Say it in French": [{ text: "Quatre." }] })
  await begin(desk, "Count the files")
  await gate.reached
  await desk.setViewportSize({ width: 390, height: 844 })
  await send(desk, "Say more")
  const queued = desk.getByRole("list", { name: "Queued prompts" })
  const field = desk.getByRole("textbox", { name: "Queued prompt" })
  const press = async (name: string) => {
    const button = queued.getByRole("button", { name, exact: true })
    const { width = 0, height = 0 } = (await button.boundingBox()) ?? {}
    expect(Math.min(width, height), name).toBeGreaterThanOrEqual(44)
    await button.click()
  }
  await press("Edit")
  await field.fill("Say nothing")
  await press("Cancel")
  await expect(queued).toHaveText("Say more")
  await press("Edit")
  await field.fill("Say it in French")
  await press("Save")
  await expect(queued).toHaveText("Say it in French")
  gate.open()
  await expect(desk.getByText("Quatre.")).toHaveCount(1)
})

test("stop ends the agent and children at once and returns queued prompts", { tag: "@journey" }, async ({
  desk,
  model,
  client,
}) => {
  const gate = createGate()
  model.script({
    "Study everything": [{ calls: [task("Study the source", "Study src"), task("Study the tests", "Study test")] }],
    "Study src": [{ text: "Done.", gate }],
    "Study test": [{ text: "Done.", gate }],
  })
  await begin(desk, "Study everything")
  await expect(desk.getByRole("button", { name: /^Open task .*, running:/ })).toHaveCount(2)
  await gate.reached
  await send(desk, "Then write it down")
  await expect(desk.getByRole("list", { name: "Queued prompts" })).toHaveText("Then write it down")
  await desk.getByRole("button", { name: "Stop", exact: true }).click()
  await expect(desk.getByRole("button", { name: "Stop", exact: true })).toHaveCount(0)
  await expect(desk.getByRole("button", { name: /^Open task .*, cancelled:/ })).toHaveCount(2)
  await expect(desk.getByRole("textbox", { name: "Prompt" })).toHaveValue("Then write it down")

  const sessionID = sessionOf(desk)
  // A stopped session becomes idle first; the end of its turn is stored afterwards.
  const state = async () => {
    const tree = await client.session.tree.query({ sessionID })
    return { sessions: tree.sessions.map((session) => session.status.type), turns: tree.turns.length }
  }
  await expect.poll(state).toEqual({ sessions: ["idle", "idle", "idle"], turns: 0 })

  // The session stays usable.
  model.script({ "Never mind": [{ text: "All right." }] })
  await send(desk, "Never mind")
  await expect(desk.getByText("All right.")).toBeVisible()
  gate.open()
})
