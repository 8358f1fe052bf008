import { expect, it } from "vitest"
import { cleanLine } from "./clean-line.ts"

it("a text becomes one visible line within its limit", () => {
  expect(cleanLine("  two\nlines\u202E of \u001B[31mred\u200B ", 40)).toBe("two lines of [31mred")
  expect(cleanLine("x".repeat(50), 10)).toBe(`${"x".repeat(9)}…`)
  expect([...cleanLine("😀".repeat(1_000_000), 5)]).toHaveLength(5)
})
