import { expect, test } from "vitest"
import { progressText } from "./progress-text.ts"

test("a card shows how far a call is, and nothing hidden", () => {
  expect(progressText({ progress: 1 })).toBe("1")
  expect(progressText({ progress: 1, total: 4, message: "Half\u202e\u001b[2J way" })).toBe("Half  [2J way (1 of 4)")
  expect(progressText({ message: "\u202e" })).toBe("")
  expect(progressText({ message: "x".repeat(300) })).toHaveLength(200)
})
