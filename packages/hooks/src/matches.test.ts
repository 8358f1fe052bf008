import { expect, test } from "vitest"
import { createNameMatcher } from "./matches.ts"

const matchesName = createNameMatcher(() => 0)

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

test("slow matchers of one event share its time", () => {
  let at = 0
  // Each reading is 300 ms later than the one before: each pattern takes 300 of the 1,000 ms.
  const matches = createNameMatcher(() => (at += 300))
  const answers = Array.from({ length: 8 }, (_, n) => matches(`^None${n}$`, ["Bash"]))
  expect(answers).toEqual([false, false, false, false, true, true, true, true])
  expect(createNameMatcher(() => 0)("^None7$", ["Bash"])).toBe(false)
})
