import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs"
import path from "node:path"
import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { FileChangeMetadata } from "../../ground/schema/tool-metadata.ts"
import { growth } from "../../test/growth.ts"
import { createEditTool } from "./edit.ts"
import { createFileLocks } from "./file-locks.ts"
import { createMultieditTool } from "./multiedit.ts"
import { replaceText } from "./replace/replace-text.ts"
import { runTool } from "./run-tool.ts"
import { createToolFixture, knownIn } from "./test/tool-fixture.ts"
import { createWriteTool } from "./write.ts"

const withFileLock = createFileLocks()
const edit = createEditTool({ withFileLock })
const write = createWriteTool({ withFileLock })

describe("replaceText", () => {
  it("gives the original back when the replacement is reversed", () => {
    const piece = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "$&", "$1"), minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(piece, piece, piece, fc.boolean(), (before, old, after, crlf) => {
        const marker = "«new»"
        const raw = before + old + after
        const text = crlf ? raw.replaceAll("\n", "\r\n") : raw
        const there = replaceText(text, { oldString: old, newString: marker, replaceAll: true })
        const back = replaceText(there.text, { oldString: marker, newString: old, replaceAll: true })
        // When no CRLF is left, the tool cannot know that the file had it.
        fc.pre(!crlf || there.text.includes("\r\n") || !old.includes("\n"))
        expect(back.text).toBe(text)
        expect(back.count).toBe(there.count)
      }),
      drawn(2_000),
    )
  })

  it("changes only the requested text", () => {
    const part = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 20 })
    fc.assert(
      fc.property(part, part, fc.string(), (before, after, replacement) => {
        const result = replaceText(`${before}OLD${after}`, {
          oldString: "OLD",
          newString: replacement,
          replaceAll: false,
        })
        expect(result).toMatchObject({ text: before + replacement + after, count: 1, strategy: null })
      }),
      drawn(),
    )
  })
})

describe("edit", () => {
  it("replaces once and describes the change", async () => {
    const fixture = createToolFixture()
    fixture.write("src/a.ts", "const a = 1\nconst b = 2\n")
    const args = { filePath: "src/a.ts", oldString: "b = 2", newString: "b = 3" }
    const result = await runTool(edit, args, fixture.context)
    expect(fixture.read("src/a.ts")).toBe("const a = 1\nconst b = 3\n")
    const metadata = FileChangeMetadata.parse(result.metadata)
    expect(metadata).toMatchObject({ file: "src/a.ts", additions: 1, deletions: 1, created: false })
    expect(metadata.diff).toContain("-const b = 2\n+const b = 3")
    expect(fixture.asks.at(-1)).toMatchObject({
      permission: "edit",
      patterns: ["src/a.ts"],
      metadata: { diff: metadata.diff },
    })
  })

  it.each([
    ["missing text", { oldString: "const c = 9", newString: "x" }, /not found[\s\S]*\n2: const b = 2/],
    ["copied line numbers", { oldString: "1: const z = 1", newString: "x" }, "line number"],
    ["several matches", { oldString: "const", newString: "let" }, "occurs 2 times"],
    ["the same text", { oldString: "a", newString: "a" }, "the same"],
    ["empty text", { oldString: "", newString: "x" }, "oldString is empty"],
  ])("explains %s", async (_name, strings, message) => {
    const fixture = createToolFixture()
    fixture.write("a.ts", "const a = 1\nconst b = 2\n")
    const reading = { ...fixture.context, known: knownIn(fixture.project) }
    await expect(runTool(edit, { filePath: "a.ts", ...strings }, reading)).rejects.toThrow(message)
    expect(fixture.read("a.ts")).toBe("const a = 1\nconst b = 2\n")
    expect(fixture.patterns("edit")).toEqual([])
  })

  it("shows no lines to an agent that does not read files", async () => {
    const fixture = createToolFixture()
    fixture.write("a.ts", "const a = 1\n  const secret = 2\n")
    const missing = { filePath: "a.ts", oldString: "const secret = 9", newString: "x" }
    const { filePath, ...change } = missing
    const several = { filePath, edits: [change] }
    const multiedit = createMultieditTool({ withFileLock })
    for (const call of [runTool(edit, missing, fixture.context), runTool(multiedit, several, fixture.context)]) {
      await expect(call).rejects.toThrow(/not found(?![\s\S]*secret = 2)/)
    }
    const loose = { filePath: "a.ts", oldString: "    const secret = 2", newString: "    const other = 2" }
    const { output } = await runTool(edit, loose, fixture.context)
    expect(output).toContain("found by")
    expect(output).not.toContain("const a")
  })

  it("replaces all on request, dollar signs being ordinary", async () => {
    const fixture = createToolFixture()
    fixture.write("a.txt", "x x x")
    const args = { filePath: "a.txt", oldString: "x", newString: "$&$1", replaceAll: true }
    expect((await runTool(edit, args, fixture.context)).output).toContain("3 places")
    expect(fixture.read("a.txt")).toBe("$&$1 $&$1 $&$1")
  })

  it("keeps CRLF, the byte order mark and the mode", async () => {
    const fixture = createToolFixture()
    const file = fixture.write("run.sh", "\uFEFFone\r\ntwo\r\nthree\r\n")
    chmodSync(file, 0o751)
    const args = { filePath: "run.sh", oldString: "one\ntwo", newString: "one\nand a half\ntwo" }
    await runTool(edit, args, fixture.context)
    expect(fixture.read("run.sh")).toBe("\uFEFFone\r\nand a half\r\ntwo\r\nthree\r\n")
    expect(statSync(file).mode & 0o777).toBe(0o751)
    expect(readdirSync(fixture.project)).toEqual([".git", "run.sh"])
  })

  it.each([
    ["keeps LF when the new text has CRLF", "a\nb\n", "b", "x\r\ny", "a\nx\ny\n"],
    ["keeps CRLF when the texts have LF", "a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n"],
    ["keeps each line's own end in a mixed file", "a\r\nb\nc\r\n", "a\nb\nc", "x\ny\nz", "x\r\ny\nz\r\n"],
    ["takes the line end of the replaced line in a mixed file", "a\nb\r\nc\n", "b", "x\ny", "a\nx\r\ny\r\nc\n"],
    ["takes the file's last line end after its last line", "a\r\nb", "b", "x\ny", "a\r\nx\r\ny"],
    ["prefers the occurrence with the same line ends", "a\nb\na\r\nb\n", "a\r\nb", "x", "a\nb\nx\n"],
    ["finds a text that begins with a line end", "a\r\nb\r\n", "\nb", "", "a\r\n"],
    ["ignores a byte order mark in the given texts", "a\n", "\uFEFFa", "\uFEFFb", "b\n"],
  ])("%s", (_, text, oldString, newString, after) => {
    expect(replaceText(text, { oldString, newString, replaceAll: false }).text).toBe(after)
  })

  it("counts occurrences that overlap, and replaces those that do not", () => {
    const overlapping = { oldString: "aa", newString: "b", replaceAll: false }
    expect(() => replaceText("aaa", overlapping)).toThrow("occurs 2 times")
    expect(replaceText("aaaaa", { ...overlapping, replaceAll: true })).toMatchObject({ text: "bba", count: 2 })
  })

  it("treats texts that differ only in line ends as equal", () => {
    const same = { oldString: "a\r\nb", newString: "a\nb", replaceAll: false }
    expect(() => replaceText("a\nb", same)).toThrow("the same")
  })

  it("creates a file from empty text and reports a missing one", async () => {
    const fixture = createToolFixture()
    await runTool(edit, { filePath: "new/a.txt", oldString: "", newString: "hi" }, fixture.context)
    expect(fixture.read("new/a.txt")).toBe("hi")
    const call = runTool(edit, { filePath: "none.txt", oldString: "a", newString: "b" }, fixture.context)
    await expect(call).rejects.toThrow("does not exist")
  })

  it("applies parallel edits of one file one after another", async () => {
    const fixture = createToolFixture()
    fixture.write("a.txt", Array.from({ length: 20 }, (_, index) => `<${index}>`).join("\n"))
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        runTool(edit, { filePath: "a.txt", oldString: `<${index}>`, newString: `[${index}]` }, fixture.context),
      ),
    )
    expect(fixture.read("a.txt")).toBe(Array.from({ length: 20 }, (_, index) => `[${index}]`).join("\n"))
  })

  it("leaves a file alone that changed while the user was asked", async () => {
    const fixture = createToolFixture()
    fixture.write("a.txt", "one")
    fixture.context.ask = async () => void fixture.write("a.txt", "one, by someone else")
    const call = runTool(edit, { filePath: "a.txt", oldString: "one", newString: "two" }, fixture.context)
    await expect(call).rejects.toThrow("changed by someone else")
    expect(fixture.read("a.txt")).toBe("one, by someone else")
  })

  it("does not damage a file that is not UTF-8", async () => {
    const fixture = createToolFixture()
    fixture.write("latin1.txt", Buffer.from([0x61, 0xe9, 0x62]))
    const call = runTool(edit, { filePath: "latin1.txt", oldString: "a", newString: "b" }, fixture.context)
    await expect(call).rejects.toThrow("not UTF-8")
  })

  it("edits large files, or fails, in time proportional to their length", async () => {
    const fixture = createToolFixture()
    // Nearly the text of every line, so that the tool has to look for the nearest one.
    const missing = { filePath: "big.txt", oldString: "some ordinary lime of test", newString: "x" }
    const work = async (lines: number) => {
      fixture.write("big.txt", `${"some ordinary line of text\n".repeat(lines)}end\n`)
      await runTool(edit, { filePath: "big.txt", oldString: "end", newString: "END" }, fixture.context)
      expect(fixture.read("big.txt").endsWith("END\n")).toBe(true)
      const reading = { ...fixture.context, known: knownIn(fixture.project) }
      await expect(runTool(edit, missing, reading)).rejects.toThrow("1: some ordinary line")
    }
    expect(await growth(work, { small: 4_000, large: 40_000 })).toBeLessThan(40)
  })
})

describe("write", () => {
  it("creates directories and describes a new file", async () => {
    const fixture = createToolFixture()
    const result = await runTool(write, { filePath: "a/b/c.txt", content: "one\ntwo\n" }, fixture.context)
    expect(fixture.read("a/b/c.txt")).toBe("one\ntwo\n")
    expect(result.metadata).toMatchObject({ file: "a/b/c.txt", created: true, additions: 2, deletions: 0 })
  })

  it("replaces a file only after the user agreed", async () => {
    const fixture = createToolFixture({ edit: { "*": "allow", "*.lock": "deny" } })
    fixture.write("a.lock", "old")
    await expect(runTool(write, { filePath: "a.lock", content: "new" }, fixture.context)).rejects.toThrow(
      "do not allow",
    )
    expect(fixture.read("a.lock")).toBe("old")
  })

  it("omits a diff that is too large but still writes", async () => {
    const fixture = createToolFixture()
    const content = Array.from({ length: 60_000 }, (_, index) => `line ${index * 7919}`).join("\n")
    writeFileSync(path.join(fixture.project, "big.txt"), content)
    const result = await runTool(write, { filePath: "big.txt", content: content.replaceAll("1", "2") }, fixture.context)
    expect(result.metadata).toMatchObject({ diff: "", diffOmitted: true })
    expect(fixture.read("big.txt")).toContain("2")
  })
})
