import { access } from "node:fs/promises"
import path from "node:path"
import type { Page } from "@playwright/test"
import { findViolations, setScheme } from "./fixtures/find-violations.ts"
import { createGate } from "./fixtures/gate.ts"
import { begin, expect, idle, send, sessionOf, test } from "./fixtures/test.ts"

test.use({ shared: true, config: { permission: "allow" } })

const write = (filePath: string, content: string) => ({ tool: "write", args: { filePath, content } })
const plan = (...items: [content: string, status: string][]) => ({
  tool: "todowrite",
  args: { todos: items.map(([content, status]) => ({ content, status, priority: "medium" })) },
})

const script = {
  "Start the work": [
    { calls: [plan(["Read the code", "in_progress"], ["Change it", "pending"]), write("notes.txt", "first\n")] },
    { text: "The work has begun." },
  ],
  "Go on with it": [
    {
      calls: [
        plan(["Read the code", "completed"], ["Change it", "in_progress"], ["Test it", "pending"]),
        write("notes.txt", "second\n"),
        { tool: "bash", args: { command: "rm src/names.js && echo new > added.txt" } },
      ],
    },
    { text: "More is done." },
  ],
  "Take another way": [{ text: "I take another way." }],
}

const items = (page: Page) =>
  page.getByRole("region", { name: "Todos", exact: true }).getByRole("list", { name: "Todos" }).getByRole("checkbox")
const dock = (page: Page) => page.getByRole("region", { name: "Undone" })
const field = (page: Page) => page.getByRole("textbox", { name: "Prompt" })

const attached = (page: Page) => page.getByRole("list", { name: "Attached files" }).getByRole("listitem")

/** Pastes a text that is too long for the field: it becomes an attached file. */
async function pasteLong(page: Page): Promise<void> {
  const text = Array.from({ length: 300 }, (_, line) => `line ${line} of a log`).join("\n")
  await field(page).focus()
  // A string, because these files are type-checked without the DOM.
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData("text/plain", ${JSON.stringify(text)})
    const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(paste)
  })()`)
  await expect(attached(page)).toHaveText(/pasted\.txt/)
}

async function exists(directory: string, file: string): Promise<boolean> {
  return access(path.join(directory, file)).then(
    () => true,
    () => false,
  )
}

/** Changes by commands are listed with the others; their diff opens over the full width. */
async function lookAtFiles(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Files" }).click()
  const panel = page.getByRole("region", { name: "Changed files" })
  await expect(panel.getByRole("listitem")).toHaveText([/added\.txt.*\+1/, /notes\.txt.*\+2/, /names\.js.*deleted/])
  // The user presses keys before the dialog is there.
  for (const key of ["d", "j", "j"]) await page.keyboard.press(key)
  const dialog = page.getByRole("dialog", { name: "Changed files" })
  await expect(dialog.getByRole("heading", { name: "src/names.js" })).toBeVisible()
  await expect(dialog.getByText("export function parseNames").first()).toBeVisible()
  await page.keyboard.press("Escape")
  await expect(dialog).toHaveCount(0)
}

test("undo restores files, list and prompt until a new prompt", {
  tag: "@journey",
}, async ({ desk, model, project, client, context }) => {
  model.script(script)
  await begin(desk, "Start the work")
  await expect(desk.getByText("The work has begun.")).toBeVisible()
  await pasteLong(desk)
  await send(desk, "Go on with it")
  await expect(desk.getByText("More is done.")).toBeVisible()
  await expect(attached(desk)).toHaveCount(0)
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("line 299 of a log")
  await expect(items(desk)).toHaveCount(3)
  expect(await project.read("notes.txt")).toBe("second\n")
  const sessionID = sessionOf(desk)
  const other = await context.newPage()
  await other.goto(desk.url())
  await expect(other.getByText("More is done.")).toBeVisible()
  await lookAtFiles(other)
  await idle(desk)

  const prompt = desk.getByRole("article").filter({ hasText: "Go on with it" })
  await prompt.hover()
  await prompt.getByRole("button", { name: "Undo from here" }).click()
  await expect(dock(desk)).toContainText("The prompt and all after it are undone (3 messages), 3 files restored.")
  await expect(dock(desk)).toContainText("The next prompt removes it for good.")
  await expect(desk.getByText("More is done.")).toHaveCount(0)
  await expect(field(desk)).toHaveValue("Go on with it")
  await expect(attached(desk)).toHaveText(/pasted\.txt/)
  await expect(items(desk)).toHaveCount(2)
  await expect(desk.getByRole("checkbox", { name: "Read the code, In progress" })).toBeVisible()
  expect(await project.read("notes.txt")).toBe("first\n")
  expect(await project.read("src/names.js")).toContain("parseNames")
  expect(await exists(project.directory, "added.txt")).toBe(false)
  await expect(dock(other)).toBeVisible()
  await expect(other.getByText("More is done.")).toHaveCount(0)

  await dock(desk).getByRole("button", { name: "Show" }).click()
  await expect(desk.getByText("More is done.")).toBeVisible()
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1440, 390]) {
      await setScheme(desk, colorScheme)
      await desk.setViewportSize({ width, height: 900 })
      expect(await findViolations(desk), `${colorScheme}, ${width} px`).toEqual([])
    }
  }
  await desk.setViewportSize({ width: 1440, height: 900 })
  await dock(desk).getByRole("button", { name: "Hide" }).click()

  await dock(desk).getByRole("button", { name: "Redo" }).click()
  await expect(dock(desk)).toHaveCount(0)
  await expect(desk.getByText("More is done.")).toBeVisible()
  await expect(field(desk)).toHaveValue("")
  await expect(attached(desk)).toHaveCount(0)
  await expect(items(desk)).toHaveCount(3)
  expect(await project.read("notes.txt")).toBe("second\n")
  expect(await exists(project.directory, "src/names.js")).toBe(false)
  await expect(dock(other)).toHaveCount(0)

  await field(desk).fill("/undo")
  await desk.keyboard.press("Enter")
  await expect(dock(desk)).toBeVisible()
  await expect(field(desk)).toHaveValue("Go on with it")
  await field(desk).fill("Take another way")
  await desk.keyboard.press("Enter")
  await expect(desk.getByText("I take another way.")).toBeVisible()
  await expect(dock(desk)).toHaveCount(0)
  const { items: messages } = await client.session.messages.query({ sessionID })
  expect(JSON.stringify(messages)).not.toContain("Go on with it")
  expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain("Go on with it")
  expect(await project.read("notes.txt")).toBe("first\n")
  expect((await client.todo.list.query({ sessionID })).map((todo) => [todo.content, todo.status])).toEqual([
    ["Read the code", "in_progress"],
    ["Change it", "pending"],
  ])
})

test("an undo from a step keeps the prompt and the steps before", async ({ desk, model, project }) => {
  model.script({
    "Write both files": [
      { calls: [write("one.txt", "one\n")] },
      { text: "Now the other one.", calls: [write("two.txt", "two\n")] },
      { text: "Both are written." },
    ],
  })
  await begin(desk, "Write both files")
  await expect(desk.getByText("Both are written.")).toBeVisible()
  await idle(desk)
  const step = desk.getByRole("article").filter({ hasText: "Now the other one." })
  await step.hover()
  for (const colorScheme of ["light", "dark"] as const) {
    await setScheme(desk, colorScheme)
    expect(await findViolations(desk), colorScheme).toEqual([])
  }
  await step.getByRole("button", { name: "Undo from this step on" }).click()
  await expect(dock(desk)).toContainText("A step and all after it are undone (2 messages), 1 file restored.")
  await expect(step).toHaveCount(0)
  await expect(field(desk)).toHaveValue("")
  await expect(desk.getByRole("article").filter({ hasText: "Write both files" })).toBeVisible()
  expect([await project.read("one.txt"), await exists(project.directory, "two.txt")]).toEqual(["one\n", false])
  await dock(desk).getByRole("button", { name: "Redo" }).click()
  await expect(step).toBeVisible()
  expect(await project.read("two.txt")).toBe("two\n")
})

test("an undo keeps and names changed files, and waits for the agent", async ({ desk, model, project }) => {
  const gate = createGate()
  model.script({ ...script, "Wait for me": [{ text: "Waited.", gate }] })
  await begin(desk, "Start the work")
  await expect(desk.getByText("The work has begun.")).toBeVisible()
  await project.write("notes.txt", "mine\n")
  await send(desk, "Wait for me")
  await gate.reached
  await desk.getByRole("button", { name: "Undo from here" }).first().click()
  await expect(desk.getByText("The session is working. Stop it or wait for its end, then undo.")).toBeVisible()
  gate.open()
  await expect(desk.getByText("Waited.")).toBeVisible()
  await idle(desk)
  // The end of a turn has the button too, because its prompt may not be visible.
  await desk.getByRole("button", { name: "Undo from this turn on" }).first().click()
  await dock(desk).getByText("1 file left as it is").click()
  await expect(dock(desk).getByText("notes.txt (changed since by someone else)")).toBeVisible()
  expect(await project.read("notes.txt")).toBe("mine\n")
  await field(desk).fill("/redo")
  await desk.keyboard.press("Enter")
  await expect(desk.getByText("Waited.")).toBeVisible()
})

test("undo includes a person's list changes, also those of another tab", async ({ desk, model, context }) => {
  model.script({ ...script, "Tell me more": [{ text: "There is no more." }] })
  await begin(desk, "Start the work")
  await expect(desk.getByText("The work has begun.")).toBeVisible()
  await expect(items(desk)).toHaveCount(2)
  const other = await context.newPage()
  await other.goto(desk.url())
  await expect(items(other)).toHaveCount(2)
  const add = async (content: string) => {
    await desk.getByRole("textbox", { name: "New todo" }).fill(content)
    await desk.keyboard.press("Enter")
    // The menu appears when the service has created the item.
    await expect(desk.getByRole("button", { name: `Actions for ${content}` })).toBeVisible()
    await expect(items(other)).toHaveCount(3)
  }
  const remove = async (page: Page, content: string) => {
    await page.getByRole("button", { name: `Actions for ${content}` }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
  }

  await add("Mine A")
  await remove(other, "Mine A")
  await expect(items(desk)).toHaveCount(2)

  await send(desk, "Tell me more")
  await expect(desk.getByText("There is no more.")).toBeVisible()
  await idle(desk)
  await add("Mine B")
  await remove(desk, "Change it")
  await expect(items(other)).toHaveCount(2)
  const prompt = desk.getByRole("article").filter({ hasText: "Tell me more" })
  await prompt.hover()
  await prompt.getByRole("button", { name: "Undo from here" }).click()
  await expect(dock(desk)).toBeVisible()
  for (const page of [desk, other]) {
    await expect(items(page)).toHaveCount(2)
    await expect(items(page).nth(0)).toHaveAccessibleName("Read the code, In progress")
    await expect(items(page).nth(1)).toHaveAccessibleName("Change it, To do")
  }
})
