import { describe, expect, it } from "vitest"
import { applyChunks } from "./apply-chunks.ts"
import { parsePatch } from "./parse-patch.ts"

function apply(text: string, ...lines: string[]): string {
  const [change] = parsePatch(["*** Begin Patch", "*** Update File: a.ts", ...lines, "*** End Patch"].join("\n"))
  return applyChunks(text, change?.kind === "update" ? change.chunks : [], "a.ts")
}

describe("chunks", () => {
  it.each<[string, string, string[], string]>([
    ["in order", "a\nb\na\nb\n", ["@@", "-a", "+A", "@@", "-a", "+B"], "A\nb\nB\nb\n"],
    ["below their anchor", "f\nx\ng\nx\n", ["@@ g", "-x", "+y"], "f\nx\ng\ny\n"],
    ["below several anchors", "A\nf\nx\nB\nf\nx\n", ["@@ B", "@@ f", "-x", "+y"], "A\nf\nx\nB\nf\ny\n"],
    ["with blanks at the ends of lines", "a  \nb\n", ["@@", " a", "-b", "+c"], "a  \nc\n"],
    ["with another indentation", "  a\n  b\n", ["@@", " a", "-b", "+  c"], "  a\n  c\n"],
    ["with typographic quotes", "say “a”\nb\n", ["@@", ' say "a"', "-b", "+c"], "say “a”\nc\n"],
    ["at the end of the file first", "a\nb\na\n", ["@@", "-a", "+c", "*** End of File"], "a\nb\nc\n"],
    ["with one blank line too many", "a\nb\n", ["@@", "-b", " ", "+c"], "a\nc\n"],
    ["that only insert, at the end", "a\n", ["@@", "+b"], "a\nb\n"],
    ["that only insert, after the anchor", "a\nb\n", ["@@ a", "+x"], "a\nx\nb\n"],
    ["that insert into an empty file", "", ["@@", "+a"], "a\n"],
    ["that insert after a last line without line break", "a", ["@@", "+b"], "a\nb"],
    ["that delete lines", "a\nb\nc\n", ["@@", " a", "-b", " c"], "a\nc\n"],
    ["that delete all lines", "a\nb\n", ["@@", "-a", "-b"], ""],
    ["in a file with CRLF", "a\r\nb\r\n", ["@@", " a", "-b", "+c", "+d"], "a\r\nc\r\nd\r\n"],
    ["in a file without last line break", "a\nb", ["@@", "-b", "+c"], "a\nc"],
  ])("%s are applied", (_, before, lines, after) => {
    expect(apply(before, ...lines)).toBe(after)
  })

  it.each<[string, string, string[], string]>([
    ["lines that are not there", "a\n", ["@@", " x", "-y", "+z"], "were not found in a.ts after line 0:\nx\ny"],
    ["lines in another order", "a\nb\n", ["@@", "-b", "+c", "@@", "-a", "+d"], "after line 2:\na"],
    ["an anchor that is not there", "a\n", ["@@ nowhere", "-a", "+b"], 'no line "nowhere"'],
  ])("%s are quoted", (_, before, lines, message) => {
    expect(() => apply(before, ...lines)).toThrow(message)
  })

  it("are found among lines that are all equal", () => {
    const before = "same\n".repeat(5_000)
    const lines = Array.from({ length: 500 }, () => ["@@", " same", "-same", "+other"]).flat()
    expect(apply(before, ...lines).match(/other/g)).toHaveLength(500)
  })
})
