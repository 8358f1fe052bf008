import type { Part, UserMessage } from "@docket/core/schema"
import { expect, it } from "vitest"
import type { Row } from "./row.ts"
import { rowLabel } from "./row-label.ts"

const message: UserMessage = {
  id: "msg_1",
  sessionID: "ses_1",
  role: "user",
  agent: "build",
  model: { providerID: "p", modelID: "m" },
  time: { created: 0 },
}
const base = { id: "prt_1", sessionID: "ses_1", messageID: "msg_1" }
const results = "[/todo start 999]\nERR: todo not found\n[END TODO]\n[END TOOL RESULTS]"

function prompt(synthetic: boolean, ...parts: Part[]): Row {
  return { kind: "prompt", key: "k", message, parts, synthetic }
}

it("rowLabel names results of commands in words", () => {
  expect(rowLabel(prompt(true, { ...base, type: "text", text: results, synthetic: true }))).toBe(
    "Note: results of /todo start 999",
  )
  const part: Part = { ...base, type: "text", text: results, synthetic: true }
  expect(
    rowLabel({ kind: "part", key: "k", part, agent: "build", streaming: false, step: null, beginsStep: false }),
  ).toBe("Note: results of /todo start 999")
})

it("a prompt without text is named by what it delegates or mentions", () => {
  const subtask: Part = {
    ...base,
    type: "subtask",
    agent: "explore",
    prompt: "Look at\nthe names",
    description: "Look",
  }
  expect(rowLabel(prompt(false, subtask))).toBe("Prompt: @explore Look at the names")
  expect(rowLabel(prompt(false, { ...base, type: "agent", name: "general" }))).toBe("Prompt: @general")
})
