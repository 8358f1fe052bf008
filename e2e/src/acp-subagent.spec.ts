import path from "node:path"
import type { Locator } from "@playwright/test"
import { findViolationsInLightAndDark } from "./fixtures/find-violations.ts"
import { begin, expect, test } from "./fixtures/test.ts"

const agent = path.join(import.meta.dirname, "../../packages/acp/src/test/scripted-agent.mjs")

test.use({
  config: {
    delegation: { envelope: false },
    permission: { "*": "allow", bash: "ask", acp: "ask" },
    agent: {
      helper: {
        description: "Does what it is told.",
        acp: { command: process.execPath, args: [agent, "", "resume"], sandbox: false },
      },
    },
  },
})

const call = (id: string, kind: string, more: object) => ({ toolCallId: id, title: "", kind, ...more })

test("a child of another program is drawn like any other", async ({ desk, model, project }) => {
  const file = path.join(project.directory, "src/greeting.js")
  const plan = ["Read the greeting", "Make it louder", "Try it"]
  const entries = plan.map((content, at) => ({
    content,
    status: ["completed", "in_progress"][at] ?? "pending",
    priority: "medium",
  }))
  const diff = { type: "diff", path: file, oldText: "'!'", newText: "'!!!'" }
  const output = [{ type: "content", content: { type: "text", text: "```console\nHELLO!!!\n```" } }]
  const acts = [
    { think: "The greeting is too quiet." },
    { update: { sessionUpdate: "plan", entries } },
    { call: call("1", "read", { title: "Read greeting.js", status: "completed", locations: [{ path: file }] }) },
    { call: call("2", "edit", { title: "Edit greeting.js", status: "completed", content: [diff] }) },
    { ask: call("3", "execute", { title: "Try the greeting", rawInput: { command: "node src/greeting.js" } }) },
    { call: call("3", "execute", { title: "Try the greeting", status: "completed", content: output }) },
    { update: { sessionUpdate: "usage_update", used: 24_000, size: 200_000, cost: { amount: 0.31, currency: "USD" } } },
    { say: "The greeting is **louder** now." },
    { usage: { totalTokens: 24_100, inputTokens: 24_000, outputTokens: 100 } },
  ]
  const task = { description: "Louder greeting", prompt: JSON.stringify(acts), subagent_type: "helper" }
  model.script({ "Make it louder": [{ calls: [{ tool: "task", args: task }] }, { text: "It is louder." }] })
  await begin(desk, "Make it louder")

  const card = desk.getByRole("button", { name: "Open task Louder greeting" })
  await expect(card).toContainText("runs scripted-agent.mjs")
  await card.click()
  await expect(desk.locator("header", { hasText: "@helper" })).toContainText("runs scripted-agent.mjs")
  await desk.getByRole("button", { name: "Allow once" }).click()
  await expect(desk.getByText("runs scripted-agent.mjs 1.2.3")).toBeVisible()
  await expect(desk.getByText("outside the sandbox")).toBeVisible()
  await expect(desk.getByText("context 24K of 200K")).toBeVisible()
})

test("a question of a program says everything and fits a phone", async ({ desk, model }) => {
  const tool = `mcp__workspace__${"rename_every_symbol_".repeat(16)}`
  const names = ["src/greeting.js", "README.md", "src/a-file-with-a-rather-long-name.js", "src/main.js"]
  const tidy = { title: "Tidy", rawInput: { symbol: "greet" } }
  const entries = [{ content: "Rename it", status: "in_progress", priority: "medium" }]
  const acts = [
    { update: { sessionUpdate: "plan", entries } },
    { ask: call("1", "read", { title: "Read greeting.js", name: "look_around", kind: "other" }) },
    { ask: call("2", "other", { ...tidy, name: tool, locations: names.map((name) => ({ path: name })) }) },
  ]
  const description = "Rename the greeting in all of the files of the project and in their tests"
  const task = { description, prompt: JSON.stringify(acts), subagent_type: "helper" }
  model.script({ "Rename it": [{ calls: [{ tool: "task", args: task }] }, { text: "It is renamed." }] })
  await begin(desk, "Rename it")
  await desk.getByRole("button", { name: "Allow once" }).click()

  const card = desk.getByRole("region", { name: "helper wants to use its tool on" })
  for (const name of names) await expect(card.getByText(name)).toBeVisible()
  await expect(card).toContainText("the program's own tools (“acp”)")
  await expect(card).toContainText("calls of the program's own tools in this session")
  // The action stands inside of the card of the task, beside what was answered.
  const task1 = desk.getByRole("button", { name: `Open task ${description}` })
  const outer = await task1.locator("..").boundingBox()
  const action = await desk.getByRole("button", { name: "To background" }).boundingBox()
  const answered = await desk.getByRole("article").getByText("1 request answered").boundingBox()
  expect(bottomOf(action)).toBeLessThanOrEqual(bottomOf(outer))
  expect(action?.y).toBeGreaterThan(bottomOf(await task1.boundingBox()))
  expect(Math.abs(bottomOf(action) - bottomOf(answered))).toBeLessThan(8)
  // Its title does not make the panel wider.
  await desk.getByRole("tab", { name: "Todos" }).click()
  await expect(desk.getByRole("region", { name: "Todos of subagents" })).toContainText(description)
  expect(await widerThan(desk.getByRole("tabpanel", { name: "Todos" }))).toBe(0)

  await desk.setViewportSize({ width: 390, height: 844 })
  for (const open of [false, true]) {
    if (open) {
      await task1.click()
      await expect(desk.locator("header", { hasText: "@helper" })).toBeVisible()
    }
    const body = card.getByRole("region", { name: "What would happen" })
    const buttons = card.getByRole("button", { name: /^(Allow|Always|Reject)/ })
    const boxes = async () => Promise.all((await buttons.all()).map((button) => button.boundingBox()))
    await expect
      .poll(async () => Math.min(...(await boxes()).map((box) => box?.height ?? 0)))
      .toBeGreaterThanOrEqual(44)
    // A long pattern leaves space for what is asked.
    const [first] = await boxes()
    expect((first?.y ?? 0) - ((await body.boundingBox())?.y ?? 0)).toBeGreaterThanOrEqual(56)
    expect(await findViolationsInLightAndDark(desk)).toEqual([])
    if (open) continue
    const name = task1.getByText(description, { exact: true })
    expect(await widerThan(name)).toBe(0)
    expect((await name.boundingBox())?.height).toBeGreaterThan(30)
  }
})

/** By how much what a place holds is wider than it (px). */
function widerThan(place: Locator): Promise<number> {
  return place.evaluate((node) => {
    const { scrollWidth, clientWidth } = node as unknown as { scrollWidth: number; clientWidth: number }
    return scrollWidth - clientWidth
  })
}

function bottomOf(box: { y: number; height: number } | null): number {
  return box === null ? 0 : box.y + box.height
}
