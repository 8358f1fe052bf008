import { expect, it } from "vitest"
import { withoutDirectionMarks } from "./without-direction-marks.ts"

it("no text in a share changes the writing direction, however deep", () => {
  const part = { type: "tool", state: { title: "run \u202Egpj.exe", list: ["\u2066a\u2069"] }, at: 1, none: null }
  expect(withoutDirectionMarks(part)).toEqual({
    type: "tool",
    state: { title: "run gpj.exe", list: ["a"] },
    at: 1,
    none: null,
  })
  expect(withoutDirectionMarks("\u200Fשלום")).toBe("\u200Fשלום")
})
