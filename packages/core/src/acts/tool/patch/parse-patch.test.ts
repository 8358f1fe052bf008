import { describe, expect, it } from "vitest"
import { parsePatch } from "./parse-patch.ts"

const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n")

describe("a patch", () => {
  it("adds, deletes, updates and moves files", () => {
    const text = patch(
      "*** Add File: a.ts",
      "+one",
      "+",
      "*** Delete File: b.ts",
      "*** Update File: c.ts",
      "*** Move to: d.ts",
      "@@ class A",
      "@@ method()",
      " keep",
      "-old",
      "+new",
      "*** End of File",
    )
    expect(parsePatch(text)).toEqual([
      { kind: "add", path: "a.ts", text: "one\n\n" },
      { kind: "delete", path: "b.ts" },
      {
        kind: "update",
        path: "c.ts",
        moveTo: "d.ts",
        chunks: [
          {
            anchors: ["class A", "method()"],
            endOfFile: true,
            lines: [
              { kind: "context", text: "keep" },
              { kind: "removed", text: "old" },
              { kind: "added", text: "new" },
            ],
          },
        ],
      },
    ])
  })

  it.each([
    ["a heredoc", `<<'EOF'\n${patch("*** Delete File: a")}\nEOF`],
    ["a heredoc of a command", `apply_patch <<EOF\n${patch("*** Delete File: a")}\nEOF`],
    ["CRLF", patch("*** Delete File: a").replaceAll("\n", "\r\n")],
    ["blank lines around it", `\n\n${patch("", "*** Delete File: a", "")}\n\n`],
  ])("is read with %s", (_, text) => {
    expect(parsePatch(text)).toEqual([{ kind: "delete", path: "a" }])
  })

  it.each([
    ["its first line", "*** Delete File: a\n*** End Patch", 'The first line must be "*** Begin Patch"'],
    ["its last line", "*** Begin Patch\n*** Delete File: a", 'The last line must be "*** End Patch"'],
    ["any section", patch(""), "The patch is empty"],
    ["a known section", patch("*** Rename File: a"), "begins no section"],
    ["a section before its lines", patch("+one"), "begins no section"],
    ["a path", patch("*** Add File: "), "names no file"],
    ["a path to move to", patch("*** Update File: a", "*** Move to:", "@@", "+b"), '"*** Move to:" names no file'],
    ["a plus before an added line", patch("*** Add File: a", "one"), 'must begin with "+"'],
    ["chunks", patch("*** Update File: a"), "has no changes"],
    ["changes in a chunk", patch("*** Update File: a", "@@", " same"), "changes nothing"],
    ["a mark before a line", patch("*** Update File: a", "@@", "-old", "new"), '"new" must begin with a space'],
    ["lines before the end of the file", patch("*** Update File: a", "*** End of File"), "nothing stands before"],
    ["fewer files", patch(...Array.from({ length: 201 }, (_, at) => `*** Delete File: ${at}`)), "more than 200 files"],
  ])("without %s is refused", (_, text, message) => {
    expect(() => parsePatch(text)).toThrow(message)
  })
})
