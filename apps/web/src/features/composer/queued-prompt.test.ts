import type { PromptPart } from "@docket/core/schema"
import { expect, test } from "vitest"
import { withRestored } from "../undo/restored-prompt.ts"
import { takenBack } from "./queued-prompt.ts"

const turn = (...parts: PromptPart[]) => ({ input: { parts } })
const text = (value: string): PromptPart => ({ type: "text", text: value })

test("prompts that waited when the agent was stopped go before what is being written, in their order", () => {
  const file: PromptPart = { type: "file", mime: "text/plain", url: "file:///a.md", filename: "a.md" }
  const restored = takenBack([turn(text("Read @a.md"), file), turn(text("Then test it"))])
  expect(restored).toEqual({ put: "Read @a.md\nThen test it", take: "", files: ["a.md"] })
  expect(restored && withRestored("And more", restored)).toBe("Read @a.md\nThen test it\nAnd more")
})

test("a delegation that waited comes back as it is written, and Docket's own words do not", () => {
  const subtask: PromptPart = { type: "subtask", agent: "explore", description: "Look", prompt: "Look around" }
  expect(takenBack([turn(subtask)])?.put).toBe("/agent explore Look around")
  expect(takenBack([turn({ type: "text", text: "Background tasks have ended.", synthetic: true })])).toBeNull()
  expect(takenBack([])).toBeNull()
})
