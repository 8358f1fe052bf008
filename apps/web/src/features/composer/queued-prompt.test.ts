import type { PromptPart } from "@docket/core/schema"
import { expect, test } from "vitest"
import { withRestored } from "../undo/restored-prompt.ts"
import { editableText, editedParts, queuedText, takenBack } from "./queued-prompt.ts"

const turn = (...parts: PromptPart[]) => ({ input: { parts } })
const text = (value: string): PromptPart => ({ type: "text", text: value })

test("withdrawn prompts are put before the current text, in order", () => {
  const file: PromptPart = { type: "file", mime: "text/plain", url: "file:///a.md", filename: "a.md" }
  const log = { mime: "text/plain", url: "data:text/plain;base64,aGk=", filename: "pasted.txt" }
  const restored = takenBack([
    turn(text("Read @a.md"), file),
    turn({ type: "file", ...log }),
    turn(text("Then test it")),
  ])
  const put = "Read @a.md\nThen test it"
  expect(restored).toEqual({ put, take: "", files: ["a.md"], attach: [log], detach: [] })
  expect(restored && withRestored("And more", restored)).toBe(`${put}\nAnd more`)
})

test("a queued prompt is named by its words, else its files", () => {
  const file: PromptPart = { type: "file", mime: "text/plain", url: "data:,hi", filename: "log.txt" }
  expect(queuedText(turn(text("Read this"), file))).toBe("Read this")
  expect(queuedText(turn(file))).toBe("log.txt")
  expect(queuedText(turn(text("x".repeat(1_000_000)))).length).toBeLessThan(1_000)
})

test("a queued delegation returns as typed, without Docket's own text", () => {
  const subtask: PromptPart = { type: "subtask", agent: "explore", description: "Look", prompt: "Look around" }
  expect(takenBack([turn(subtask)])?.put).toBe("/agent explore Look around")
  expect(takenBack([turn({ type: "text", text: "Background tasks have ended.", synthetic: true })])).toBeNull()
  expect(takenBack([])).toBeNull()
})

test("a queued prompt is edited without losing its files", () => {
  const file = { type: "file", mime: "text/plain", url: "data:text/plain,x", filename: "x.txt" } as const
  const turn = { input: { parts: [{ type: "text" as const, text: "Look" }, file] } }
  expect(editableText(turn)).toBe("Look")
  expect(editedParts(turn, "Look again")).toEqual([{ type: "text", text: "Look again" }, file])
  expect(editableText({ input: { parts: [{ type: "command", name: "init", arguments: "" }] } })).toBeNull()
})
