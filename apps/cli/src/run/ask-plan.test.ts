import { PassThrough } from "node:stream"
import { expect, test } from "vitest"
import { createTerminalPlan, type PlanReply } from "./ask-plan.ts"

const options = ["Approve", "Approve and edit freely"]

async function typed(line: string): Promise<{ reply: PlanReply; shown: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  let shown = ""
  output.on("data", (chunk) => {
    shown += chunk
    if (String(chunk).includes("to stay in plan mode")) input.write(`${line}\n`)
  })
  const plan = { file: ".docket/plans/a.md", text: "1. Do it\u001b[2J" }
  const reply = await createTerminalPlan(input, output)(plan, options, new AbortController().signal)
  return { reply, shown }
}

test("a number approves a plan, words return it, empty input closes it", async () => {
  expect((await typed("1")).reply).toEqual({ choice: "Approve" })
  expect((await typed("2")).reply).toEqual({ choice: "Approve and edit freely" })
  expect((await typed("3")).reply).toEqual({ words: "3" })
  expect((await typed("Test it first")).reply).toEqual({ words: "Test it first" })
  expect((await typed(" ")).reply).toBe(null)
})

test("a plan's text cannot move the cursor", async () => {
  const { shown } = await typed("1")
  expect(shown).toContain("  │ 1. Do it")
  expect(shown).not.toContain("\u001b[2J")
})
