import type { TaskSummary } from "@docket/core/schema"
import { findViolations } from "./fixtures/find-violations.ts"
import { createGate } from "./fixtures/gate.ts"
import { begin, expect, sessionOf, test } from "./fixtures/test.ts"

test.use({ shared: true })

/** Starts a child in the background. */
const launch = (description: string, prompt: string, agent = "explore") => ({
  tool: "async_task",
  args: { agent, description, prompt },
})
/** Starts a child and waits for its result. */
const wait = (description: string, prompt: string, agent = "explore") => ({
  tool: "task",
  args: { description, prompt, subagent_type: agent },
})

test.describe("with two places for children", () => {
  test.use({ config: { delegation: { concurrency: 2, tokens: 100_000, timeout: 600_000 } } })

  test("the panel follows tasks through the queue, and cancels and repeats them", { tag: "@journey" }, async ({
    desk,
    model,
  }) => {
    const gate = createGate()
    model.script({
      "Survey the code": [
        {
          calls: [
            launch("First look", "Look one"),
            launch("Second look", "Look two"),
            launch("Third look", "Look three"),
          ],
        },
        { text: "They are on their way." },
      ],
      "Look one": [{ text: "One.", gate }],
      "Look two": [{ text: "Two.", gate }],
      "Look three": [{ text: "Three.", gate }],
      // In the notices of one ended task, and of several.
      "background task": [{ text: "Noted." }],
      "Background tasks": [{ text: "Noted." }],
    })
    await begin(desk, "Survey the code")
    await desk.getByRole("tab", { name: "Agents" }).click()
    const panel = desk.getByRole("region", { name: "Tasks" })
    await expect(panel.getByText("Running (2)")).toBeVisible()
    await expect(panel.getByText("next in the queue")).toBeVisible()
    await expect(panel.getByRole("progressbar", { name: /^Tokens: 0 of 100K$/ }).first()).toBeVisible()

    // All tasks share one tab stop; arrow keys reach every task and its actions.
    await panel.getByRole("button", { name: /First look/ }).focus()
    await desk.keyboard.press("ArrowRight")
    await expect(panel.getByRole("button", { name: "Review task 1" })).toBeFocused()
    await desk.keyboard.press("ArrowRight")
    await expect(panel.getByRole("button", { name: "Cancel task 1" })).toBeFocused()
    await desk.keyboard.press("ArrowDown")
    await expect(panel.getByRole("button", { name: "Cancel task 2" })).toBeFocused()

    expect(await findViolations(desk, { within: "[aria-label='Tasks']" })).toEqual([])

    await panel.getByRole("button", { name: "Cancel task 1" }).click()
    await expect(panel.getByText("Finished (1)")).toBeVisible()
    // The queued task takes its place.
    await expect(panel.getByText("Running (2)")).toBeVisible()
    await expect(panel.getByText("in the queue")).toHaveCount(0)

    await panel.getByRole("button", { name: "Finished (1)" }).click()
    await panel.getByRole("button", { name: "Run task 1 again" }).click()
    await expect(panel.getByText("Queued (1)")).toBeVisible()

    gate.open()
    await expect(panel.getByText("Finished (4)")).toBeVisible()
  })
})

test.describe("with a long command", () => {
  test.use({ config: { permission: "allow" } })

  test("the panel shortens a task's activity and keeps every action visible", async ({ desk, model }) => {
    const command = `sleep 60 # ${"one two three ".repeat(20)}`
    model.script({
      "Have it run": [{ calls: [launch("Run it", "Run the command", "general")] }, { text: "It runs." }],
      "Run the command": [{ calls: [{ tool: "bash", args: { command, description: command } }] }, { text: "Done." }],
      "background task": [{ text: "Noted." }],
    })
    await begin(desk, "Have it run")
    await desk.getByRole("tab", { name: "Agents" }).click()
    const panel = desk.getByRole("region", { name: "Tasks" })
    await expect(panel.getByText(/one two three/).first()).toBeVisible()
    const cancel = panel.getByRole("button", { name: "Cancel task 1" })
    await expect(cancel).toBeInViewport({ ratio: 1 })
    await cancel.click()
    await expect(panel.getByText("Finished (1)")).toBeVisible()
  })
})

test.describe("with limits of the whole tree", () => {
  test.use({
    config: {
      delegation: { tree: { tokens: 50_000, tool_calls: 20, timeout: 600_000 } },
      agent: { explore: { permission: { bash: "ask" } } },
    },
  })

  test("the panel shows used limits; the clock stops while people decide", async ({ desk, model, client }) => {
    model.script({
      "Look with care": [{ calls: [wait("Look around", "Look once")] }, { text: "All seen." }],
      "Look once": [{ calls: [{ tool: "bash", args: { command: "git tag seen" } }] }, { text: "Seen." }],
    })
    await begin(desk, "Look with care")
    await desk.getByRole("tab", { name: "Agents" }).click()
    const limits = desk.getByRole("region", { name: "Limits of all tasks together" })
    await expect(limits.getByRole("progressbar", { name: /^Tool calls of all tasks: 1 of 20$/ })).toBeVisible()
    await expect(limits.getByRole("progressbar", { name: /^Tokens of all tasks: 1\.3K of 50K$/ })).toBeVisible()
    await expect(limits).toContainText(/All time [\d.]+ s of 10 m 00 s/)
    const root = () => client.session.get.query({ sessionID: sessionOf(desk) })
    await expect.poll(async () => (await root()).tree?.since).toBeNull()
    const { worked = 0 } = (await root()).tree ?? {}
    await desk.getByRole("button", { name: "Allow once" }).click()
    await expect(desk.getByText("All seen.")).toBeVisible()
    await expect.poll(async () => (await root()).tree?.worked ?? 0).toBeGreaterThan(worked)
    await expect(limits).toContainText(/All time [\d.]+ s of 10 m 00 s/)
  })
})

test("a person sends a running child to the background and messages it", async ({ desk, model }) => {
  const first = createGate()
  const second = createGate()
  model.script({
    "Study the names": [{ calls: [wait("Read the parser", "Read names")] }, { text: "I go on meanwhile." }],
    "Read names": [
      { calls: [{ tool: "glob", args: { pattern: "src/*.js" } }], gate: first },
      { text: "I looked in test/ too.", gate: second },
    ],
    "background task": [{ text: "The parser was read." }],
  })
  await begin(desk, "Study the names")
  await first.reached
  await desk.getByRole("button", { name: "To background" }).click()
  await expect(desk.getByText("I go on meanwhile.")).toBeVisible()
  // The card follows the child, although the call itself has ended.
  await expect(desk.getByRole("button", { name: "Open task Read the parser, running" })).toBeVisible()

  await desk.getByRole("tab", { name: "Agents" }).click()
  const panel = desk.getByRole("region", { name: "Tasks" })
  const line = panel.getByRole("textbox", { name: "Message to task 1" })
  await line.fill("Look in test/ too")
  await desk.keyboard.press("Enter")
  await expect(line).toHaveValue("")
  first.open()
  await second.reached
  // The child's next step contains the message.
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("Look in test/ too")
  second.open()
  await expect(desk.getByRole("button", { name: "Open task Read the parser, completed" })).toBeVisible()
  await expect(desk.getByText("The parser was read.")).toBeVisible()
})

test("a background child's page shows its result and continues it", async ({ desk, model, client }) => {
  const gate = createGate()
  model.script({
    "Have it looked at": [{ calls: [launch("Look around", "Look at all of it")] }, { text: "It is on its way." }],
    "Look at all of it": [{ text: "All is **seen**.", gate }],
    "Look once more": [{ text: "Still seen." }],
    "background task": [{ text: "Noted." }],
  })
  await begin(desk, "Have it looked at")
  await expect(desk.getByText("It is on its way.")).toBeVisible()
  await desk.getByRole("button", { name: /^Open task Look around/ }).click()
  const header = desk.locator("header", { has: desk.getByRole("heading", { name: "Look around", level: 1 }) })
  await expect(header.getByText("Not yet.")).toBeVisible()
  gate.open()
  await expect(header.locator("strong", { hasText: "seen" })).toBeVisible()
  await expect(header.getByText("Not yet.")).toHaveCount(0)
  const [task] = await client.task.list.query({ sessionID: sessionOf(desk) })
  expect(task?.state).toBe("completed")

  // The child session continues where the user is.
  await desk.getByRole("textbox", { name: "Go on with explore" }).fill("Look once more")
  await desk.keyboard.press("Enter")
  await expect(desk.getByText("Still seen.").first()).toBeVisible()
  await expect(desk.getByText("Look once more").first()).toBeVisible()
})

test("a failed task is rerun from the panel; its parent is notified", async ({ desk, model, client }) => {
  model.script({
    "Have it counted": [{ calls: [wait("Count the files", "Count them all.")] }, { text: "It could not be counted." }],
    "Count them all.": [{ failure: { status: 400, message: "That is too much." } }],
    "background task": [{ text: "There are four, it says now." }],
  })
  await begin(desk, "Have it counted")
  await expect(desk.getByText("It could not be counted.")).toBeVisible()
  await desk.getByRole("tab", { name: "Agents" }).click()
  const panel = desk.getByRole("region", { name: "Tasks" })
  await panel.getByRole("button", { name: "Finished (1)" }).click()
  await expect(panel.getByText("That is too much.")).toBeVisible()

  model.script({ "Count them all.": [{ text: "Four **files**." }] })
  await panel.getByRole("button", { name: "Run task 1 again" }).click()
  await expect(panel.getByRole("button", { name: /^Done #2 Count the files/ })).toBeVisible()
  await expect(panel.getByRole("button", { name: /^Failed #1 Count the files/ })).toBeVisible()
  await expect(desk.getByText("There are four, it says now.")).toBeVisible()
  // The notice to the parent is shown, without the parts that are meant for the model.
  const note = desk.getByRole("article", { name: /^Note: A background task has ended/ })
  await expect(note.getByText("Count the files")).toBeVisible()
  await expect(note).not.toContainText("system-reminder")
  await note.getByText("Count the files").click()
  await expect(note.locator("strong", { hasText: "files" })).toBeVisible()

  const tasks = await client.task.list.query({ sessionID: sessionOf(desk) })
  expect(tasks.map(({ number, state }) => [number, state])).toEqual([
    [1, "failed"],
    [2, "completed"],
  ])
  // Either task can be run once more.
  await expect(panel.getByRole("button", { name: /^Run task \d again$/ })).toHaveCount(2)
})

test.describe("in worktrees", () => {
  test.use({ config: { agent: { general: { isolation: "worktree" } } } })

  test("a task's branch merges from the panel; a conflict names its files", async ({
    desk,
    model,
    project,
    client,
  }) => {
    const edit = (to: string) => ({
      tool: "edit",
      args: { filePath: "src/greeting.js", oldString: "'Hello, '", newString: `'${to}, '` },
    })
    const read = { tool: "read", args: { filePath: "src/greeting.js" } }
    model.script({
      "Try two greetings": [
        { calls: [wait("Say hi", "Make it hi", "general"), wait("Say ahoy", "Make it ahoy", "general")] },
        { text: "Both are ready." },
      ],
      "Make it hi": [{ calls: [read] }, { calls: [edit("Hi")] }, { text: "Hi it is." }],
      "Make it ahoy": [{ calls: [read] }, { calls: [edit("Ahoy")] }, { text: "Ahoy it is." }],
    })
    await begin(desk, "Try two greetings")
    await expect(desk.getByText("Both are ready.")).toBeVisible()
    await desk.getByRole("tab", { name: "Agents" }).click()
    const panel = desk.getByRole("region", { name: "Tasks" })
    await panel.getByRole("button", { name: "Finished (2)" }).click()
    await expect(panel.getByText("ready to merge")).toHaveCount(2)
    await panel.getByRole("button", { name: "Merge the branch of task 1" }).click()
    await expect(panel.getByText("merged", { exact: true })).toBeVisible()
    const [one] = await client.task.list.query({ sessionID: sessionOf(desk) })
    expect(await project.read("src/greeting.js")).toContain(one?.description === "Say hi" ? "'Hi, '" : "'Ahoy, '")

    await panel.getByRole("button", { name: "Merge the branch of task 2" }).click()
    await expect(panel.getByText("has conflicts")).toBeVisible()
    await expect(panel.getByRole("list", { name: "Files in conflict" })).toContainText("src/greeting.js")
  })
})

test("a session without tasks shows who works in it", async ({ desk, model }) => {
  model.script({ "Say hello": [{ text: "Hello." }] })
  await begin(desk, "Say hello")
  await expect(desk.getByText("Hello.", { exact: true })).toBeVisible()
  await desk.getByRole("tab", { name: "Agents" }).click()
  await expect(desk.getByRole("tree", { name: "Agents of this session" })).toBeVisible()
})

test("the panel draws 1,000 finished tasks fifty at a time", async ({ desk, model }) => {
  model.script({
    "Delegate once": [{ calls: [wait("Look", "Look once")] }, { text: "Looked." }],
    "Look once": [{ text: "Seen." }],
  })
  await begin(desk, "Delegate once")
  await expect(desk.getByText("Looked.")).toBeVisible()
  // The service's answer, with its one task repeated a thousand times.
  await desk.route(/session\.tree/, async (route) => {
    const response = await route.fetch()
    const body: unknown = await response.json()
    const answers = (Array.isArray(body) ? body : [body]) as { result?: { data?: { tasks?: TaskSummary[] } } }[]
    for (const { result } of answers) {
      const task = result?.data?.tasks?.[0]
      if (result?.data && task) result.data.tasks = Array.from({ length: 1_000 }, (_, index) => copy(task, index))
    }
    await route.fulfill({ response, json: body })
  })
  // In-app navigation, because a full page load would bring the tree along.
  const session = new URL(desk.url()).pathname
  await desk.goto(new URL("/", desk.url()).href)
  await desk.getByRole("main").locator(`a[href="${session}"]`).click()
  await expect(desk.getByText("Looked.")).toBeVisible()
  await desk.getByRole("tab", { name: "Agents" }).click()
  const rows = desk.getByRole("button", { name: /^Done #\d+ Look/ })
  const panel = desk.getByRole("region", { name: "Tasks" })
  const finished = panel.getByRole("button", { name: "Finished (1,000)" })
  await expect(finished).toBeVisible()
  // Only the visible ones of a thousand tasks are rendered, in the panel and in the tree above it.
  await expect(rows).toHaveCount(0)
  expect(await desk.getByRole("treeitem").count()).toBeLessThan(50)
  await finished.click()
  await expect(rows).toHaveCount(50)
  await panel.getByRole("button", { name: "Show 50 more" }).click()
  await expect(rows).toHaveCount(100)
})

/** One of many copies: eight at a time, one second each. */
function copy(task: TaskSummary, index: number): TaskSummary {
  const started = task.time.created + Math.floor(index / 8) * 1_000
  const time = { created: task.time.created, started, ended: started + 1_000 }
  return { ...task, id: `${task.id.slice(0, -4)}${String(index).padStart(4, "0")}`, number: index + 1, time }
}
