import fc from "fast-check"
import { expect, test } from "vitest"
import { createIdSource } from "../id/create-id.ts"
import type { ReviewAnchor, TextPart, ToolPart } from "../schema/index.ts"
import { anchoredText, quoteOf, textAnchorState } from "./review-anchor.ts"

const createID = createIdSource()
const place = { id: createID("part"), sessionID: createID("session"), messageID: createID("message") }

const part = (text: string): TextPart => ({ ...place, type: "text", text })

function anchor(text: string, from: number, to: number): Extract<ReviewAnchor, { kind: "text" }> {
  const { id: partID, messageID } = place
  return { kind: "text", messageID, partID, of: "text", from, to, ...quoteOf(text, { from, to }) }
}

test("an edit before a quote moves it, an edit inside removes it", () => {
  const said = anchor("one two three", 4, 7)
  expect(textAnchorState(said, part("one two three"))).toEqual({ state: "there" })
  expect(textAnchorState(said, part("zero one two three"))).toEqual({ state: "moved", from: 9, to: 12 })
  expect(textAnchorState(said, part("one 2 three"))).toEqual({ state: "gone" })
  expect(textAnchorState(said, null)).toEqual({ state: "gone" })
})

test("a repeated quote is found by its context, otherwise it is gone", () => {
  const said = anchor("a=1; b=1", 7, 8)
  expect(textAnchorState(said, part("x; a=1; b=1"))).toEqual({ state: "moved", from: 10, to: 11 })
  expect(textAnchorState(said, part("b=1 b=1"))).toEqual({ state: "gone" })
})

test("a quote is never placed on different text", () => {
  const words = fc.string({ minLength: 1, maxLength: 60, unit: "grapheme" })
  fc.assert(
    fc.property(words, words, fc.nat(), fc.nat(), (text, before, a, b) => {
      const from = a % text.length
      const end = from + 1 + (b % (text.length - from))
      const state = textAnchorState(anchor(text, from, end), part(before + text))
      const now = before + text
      if (state.state === "moved") expect(now.slice(state.from, state.to)).toBe(text.slice(from, end))
      if (state.state === "there") expect(now.slice(from, end)).toBe(text.slice(from, end))
    }),
  )
})

test("a tool call has input and output but no text", () => {
  const call: ToolPart = {
    ...place,
    type: "tool",
    callID: "c",
    tool: "bash",
    state: {
      status: "completed",
      input: { command: "ls" },
      output: "a.txt",
      title: "ls",
      metadata: {},
      time: { start: 1, end: 2 },
    },
  }
  expect(anchoredText(call, "input")).toBe('{\n  "command": "ls"\n}')
  expect(anchoredText(call, "output")).toBe("a.txt")
  expect(anchoredText(call, "text")).toBeNull()
  expect(anchoredText(part("x"), "output")).toBeNull()
})
