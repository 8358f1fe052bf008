import { readFile } from "node:fs/promises"
import path from "node:path"
import { begin, expect, sessionOf, test } from "./fixtures/test.ts"

test.use({ shared: true })

const task = (description: string, prompt: string, subagent_type: string) => ({
  tool: "task",
  args: { description, prompt, subagent_type },
})

test("by keyboard alone a reviewer reads a task and its diff, wants changes, sees the verdict go stale and approves", async ({
  desk,
  model,
  client,
  project,
}) => {
  const before = "return 'Hello, ' + name + '!'"
  expect(await readFile(path.join(project.directory, "src/greeting.js"), "utf8")).toContain(before)
  const edit = { filePath: "src/greeting.js", oldString: before, newString: "return ['Hello', name].join(', ')" }
  model.script({
    "Tidy the greeting": [
      { calls: [task("Find the callers", "List them", "explore"), task("Join the words", "Change it", "general")] },
      { text: "Both are done." },
    ],
    "List them": [{ text: "There are two." }],
    "Change it": [
      { calls: [{ tool: "read", args: { filePath: edit.filePath } }] },
      { calls: [{ tool: "edit", args: edit }] },
      { text: "They are joined now." },
    ],
    "Say why": [{ text: "It reads better." }],
    "background task": [{ text: "Noted." }],
  })
  await begin(desk, "Tidy the greeting")
  await expect(desk.getByText("Both are done.")).toBeVisible()
  const rootID = sessionOf(desk)

  await desk.keyboard.press("ControlOrMeta+k")
  await expect(desk.getByRole("textbox", { name: "Command palette" })).toBeFocused()
  await desk.keyboard.type("Review its tasks")
  await expect(desk.getByRole("dialog").getByRole("button").first()).toHaveText(/Review its tasks/)
  await desk.keyboard.press("Enter")
  await desk.waitForURL(/\/review\//)
  const tree = desk.getByRole("tree", { name: "Tasks to review" })
  await expect(desk.getByRole("heading", { level: 1, name: "#1 Find the callers" })).toBeVisible()
  await expect(desk.getByText("0 of 2 reviewed")).toBeVisible()
  await expect(desk.getByRole("feed").getByText("There are two.")).toBeVisible()

  await desk.keyboard.press("Shift+J")
  const bar = desk.getByRole("region", { name: "Verdict on task 2" })
  await expect(bar).toBeVisible()
  await expect(desk.getByRole("feed").getByText("They are joined now.")).toBeVisible()
  await desk.keyboard.press("d")
  await expect(desk.getByRole("region", { name: "Diffs" }).getByText(".join(").first()).toBeVisible()
  await desk.keyboard.press("d")
  await expect(desk.getByRole("feed").getByText("They are joined now.")).toBeVisible()

  await desk.keyboard.press("x")
  await expect(bar.getByRole("textbox", { name: "Why task 2: needs changes" })).toBeFocused()
  await desk.keyboard.type("Say why it is better")
  await desk.keyboard.press("Enter")
  await expect(bar.getByRole("list", { name: "Verdicts" })).toContainText("Say why it is better")
  const row = tree.getByRole("treeitem", { name: /Join the words/ })
  await expect(row.getByRole("img", { name: "Needs changes" })).toBeVisible()
  await expect(desk.getByText("1 of 2 reviewed")).toBeVisible()
  const [, second] = await client.task.list.query({ sessionID: rootID })
  const { tasks } = await client.review.overview.query({ sessionID: rootID })
  expect(tasks.find(({ taskID }) => taskID === second?.id)).toMatchObject({ mark: "needs_changes" })

  await client.task.resume.mutate({ taskID: second?.id ?? "", text: "Say why" })
  await expect(row.getByRole("img", { name: "Stale verdict" })).toBeVisible()
  await expect(desk.getByText(/^Verdicts are stale since \d+ new parts?\./)).toBeVisible()
  await expect(desk.getByRole("feed").getByText("It reads better.")).toBeVisible()
  await expect(desk.getByText("0 of 2 reviewed")).toBeVisible()

  const third = desk.getByRole("region", { name: "Verdict on task 3" })
  await expect(third).toBeVisible()
  await desk.keyboard.press("a")
  await expect(row.getByRole("img", { name: "Approved" })).toBeVisible()
  await expect(third.getByRole("list", { name: "Verdicts" })).toContainText("You approved")
  await expect(async () => {
    const { tasks: now } = await client.review.overview.query({ sessionID: rootID })
    expect(now.at(-1)).toMatchObject({ mark: "approved" })
  }).toPass()
})
