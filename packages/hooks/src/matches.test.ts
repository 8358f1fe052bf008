import { expect, test } from "vitest"
import { matchesName } from "./matches.ts"

test.each([
  [undefined, ["Bash"], true],
  ["", ["Bash"], true],
  ["*", ["Bash"], true],
  ["Bash", ["Bash"], true],
  ["bash", ["Bash", "bash"], true],
  ["Bas", ["Bash"], false],
  ["Edit|Write", ["Write"], true],
  ["Edit, Write", ["Write"], true],
  ["mcp__memory", ["mcp__memory__add"], false],
  ["mcp__memory__.*", ["mcp__memory__add"], true],
  ["mcp__.*__write.*", ["mcp__files__write_file"], true],
  ["ash$", ["Bash"], true],
  ["^(?!Bash$)", ["Bash", "bash"], false],
  ["^(?!Bash$)", ["Read", "read"], true],
  ["(", ["Bash"], true],
] as const)("the matcher %s is for %j: %s", (matcher, names, expected) => {
  expect(matchesName(matcher, names)).toBe(expected)
})

test("a matcher that never ends is given up, and its hook runs", () => {
  expect(matchesName("^(a+)+$", [`${"a".repeat(60)}!`])).toBe(true)
})
