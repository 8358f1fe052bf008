import type { UserMessage } from "@docket/core/schema"
import { expect, test } from "vitest"
import { outlineOf, promptAt, readingLine } from "./outline.ts"
import type { Row } from "./rows/row.ts"

const model = { providerID: "test", modelID: "m" }

function prompt(id: string, text: string, synthetic = false): Row {
  const message: UserMessage = { id, sessionID: "ses_1", agent: "build", model, role: "user", time: { created: 1 } }
  const part = { id: `${id}-part`, sessionID: "ses_1", messageID: id, type: "text" as const, text }
  return { kind: "prompt", key: id, message, parts: [part], synthetic }
}

const waiting: Row = { kind: "waiting", key: "w", agent: "build", since: 0 }

test("the outline names the prompts of people, not Docket's own", () => {
  const rows = [prompt("a", "First\n  thing"), waiting, prompt("b", "A task has ended.", true), prompt("c", "Second")]
  expect(outlineOf(rows)).toEqual([
    { key: "a", index: 0, words: "First thing" },
    { key: "c", index: 3, words: "Second" },
  ])
})

test("promptAt finds the prompt that a row belongs to", () => {
  const outline = outlineOf([waiting, prompt("a", "First"), waiting, prompt("c", "Second"), waiting])
  expect([0, 1, 2, 4].map((index) => promptAt(outline, index)?.key)).toEqual([undefined, "a", "a", "c"])
})

test("the reader is at the screen's upper edge, or the last row", () => {
  const at = (top: number) => readingLine({ top, height: 5_000, client: 800 })
  expect([at(0), at(1_000), at(3_400)]).toEqual([0, 1_000, 3_400])
  // Within the last screen every row becomes current once.
  expect([at(3_800), at(4_000), at(4_200)]).toEqual([4_200, 4_600, 5_000])
  expect(readingLine({ top: 0, height: 600, client: 800 })).toBe(600)
})

test("at the end the last prompt is marked, whatever its answer's length", () => {
  const outline = outlineOf([prompt("a", "First"), waiting, prompt("b", "Second"), prompt("c", "Third"), waiting])
  const height = 1_000
  const row = (line: number) => Math.min(4, Math.floor(line / 200))
  const marked = (top: number) => promptAt(outline, row(readingLine({ top, height, client: 700 })))?.key
  expect(marked(0)).toBe("a")
  expect(marked(300)).toBe("c")
})
