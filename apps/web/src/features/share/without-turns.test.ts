import { expect, it } from "vitest"
import { withoutTurns } from "./without-turns.ts"

it("no text in a share changes the writing direction, however deep", () => {
  const part = { type: "tool", state: { title: "run \u202Egpj.exe", list: ["\u2066a\u2069"] }, at: 1, none: null }
  expect(withoutTurns(part)).toEqual({ type: "tool", state: { title: "run gpj.exe", list: ["a"] }, at: 1, none: null })
  expect(withoutTurns("\u200Fשלום")).toBe("\u200Fשלום")
})
