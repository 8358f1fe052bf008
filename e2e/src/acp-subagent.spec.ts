import path from "node:path"
import { begin, expect, test } from "./fixtures/test.ts"

const agent = path.join(import.meta.dirname, "../../packages/acp/src/test/scripted-agent.mjs")

test.use({
  config: {
    delegation: { envelope: false },
    permission: { "*": "allow", bash: "ask" },
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
