import type { UserMessage } from "@docket/core/schema"
import { expect, test } from "vitest"
import { outlineOf, promptAt } from "./outline.ts"
import type { Row } from "./rows/row.ts"

const model = { providerID: "test", modelID: "m" }

function prompt(id: string, text: string, synthetic = false): Row {
  const message: UserMessage = { id, sessionID: "ses_1", agent: "build", model, role: "user", time: { created: 1 } }
  const part = { id: `${id}-part`, sessionID: "ses_1", messageID: id, type: "text" as const, text }
  return { kind: "prompt", key: id, message, parts: [part], synthetic }
}

const waiting: Row = { kind: "waiting", key: "w", agent: "build", since: 0 }

test("names the prompts of people, not what Docket told the model", () => {
  const rows = [prompt("a", "First\n  thing"), waiting, prompt("b", "A task has ended.", true), prompt("c", "Second")]
  expect(outlineOf(rows)).toEqual([
    { key: "a", index: 0, words: "First thing" },
    { key: "c", index: 3, words: "Second" },
  ])
})

test("finds the prompt that a row belongs to", () => {
  const outline = outlineOf([waiting, prompt("a", "First"), waiting, prompt("c", "Second"), waiting])
  expect([0, 1, 2, 4].map((index) => promptAt(outline, index)?.key)).toEqual([undefined, "a", "a", "c"])
})
