import path from "node:path"
import { describe, expect, it } from "vitest"
import { ReadMetadata } from "../../ground/schema/tool-metadata.ts"
import { createReadTool } from "./read.ts"
import { runTool } from "./run-tool.ts"
import { createToolFixture } from "./test/tool-fixture.ts"

const tool = createReadTool()

describe("read", () => {
  it("numbers lines from 1 and tells the end", async () => {
    const fixture = createToolFixture()
    fixture.write("a.txt", "one\r\ntwo\nthree")
    const result = await runTool(tool, { filePath: "a.txt" }, fixture.context)
    expect(result.output).toBe("1: one\n2: two\n3: three\n(End of file, 3 lines.)")
    expect(ReadMetadata.parse(result.metadata)).toEqual({
      kind: "file",
      file: "a.txt",
      startLine: 1,
      endLine: 3,
      totalLines: 3,
      truncated: false,
      version: expect.stringMatching(/^\d+-\d+$/),
    })
  })

  it("gives a window and how to go on", async () => {
    const fixture = createToolFixture()
    fixture.write("a.txt", Array.from({ length: 3_000 }, (_, index) => `line ${index + 1}`).join("\n"))
    const whole = await runTool(tool, { filePath: "a.txt" }, fixture.context)
    expect(whole.output).toContain("2000: line 2000\n(Lines 1 to 2000 of 3000. Go on with offset 2001.)")
    const part = await runTool(tool, { filePath: "a.txt", offset: 2_999, limit: 5 }, fixture.context)
    expect(part.output).toBe("2999: line 2999\n3000: line 3000\n(End of file, 3000 lines.)")
    await expect(runTool(tool, { filePath: "a.txt", offset: 4_000 }, fixture.context)).rejects.toThrow("3000 lines")
  })

  it("stops at 50 KiB and cuts long lines, even of 1 MB", async () => {
    const fixture = createToolFixture()
    fixture.write("wide.txt", `${"x".repeat(1_000)}\n`.repeat(200))
    const wide = await runTool(tool, { filePath: "wide.txt" }, fixture.context)
    expect(wide.output.length).toBeLessThan(52_000)
    expect(wide.output).toContain("Go on with offset 52")
    fixture.write("single.txt", "é".repeat(1_000_000))
    const single = await runTool(tool, { filePath: "single.txt" }, fixture.context)
    expect(single.output.length).toBeLessThan(2_200)
    expect(single.output).toContain("were cut")
  })

  it("leaves a byte order mark out", async () => {
    const fixture = createToolFixture()
    fixture.write("bom.txt", "\uFEFFone")
    expect((await runTool(tool, { filePath: "bom.txt" }, fixture.context)).output).toContain("1: one\n")
  })

  it("lists a directory", async () => {
    const fixture = createToolFixture()
    fixture.write("src/b.ts", "")
    fixture.write("src/a/c.ts", "")
    const result = await runTool(tool, { filePath: "src" }, fixture.context)
    expect(result.output).toBe("a/\nb.ts\n(2 entries)")
  })

  it.each([
    ["image.png", Buffer.from("\x89PNG\r\n", "latin1"), "a broken picture"],
    ["image", Buffer.from("\x89PNG\r\n", "latin1"), "a broken picture"],
    ["a.pdf", Buffer.from("%PDF-1.7"), "a broken PDF"],
    ["program", Buffer.from([127, 69, 76, 70, 0, 0, 1]), "a binary file"],
  ])("refuses %s", async (name, content, words) => {
    const fixture = createToolFixture()
    fixture.write(name, content)
    await expect(runTool(tool, { filePath: name }, fixture.context)).rejects.toThrow(words)
  })

  it("suggests near names for a missing file", async () => {
    const fixture = createToolFixture()
    for (const name of ["session.ts", "session.test.ts", "sesion.md", "zebra.png"]) fixture.write(`src/${name}`, "")
    const call = runTool(tool, { filePath: "src/sessions.ts" }, fixture.context)
    await expect(call).rejects.toThrow(/no file src\/sessions\.ts.*Did you mean src\/session\.ts/)
    await expect(call).rejects.not.toThrow("zebra")
  })

  it("asks for secrets by the relative path, whatever path leads there", async () => {
    const fixture = createToolFixture({ "*": "allow", read: { "*": "allow", "*.env": "deny" } })
    fixture.write("app/.env", "KEY=1")
    const absolute = path.join(fixture.project, "app/../app/.env")
    await expect(runTool(tool, { filePath: absolute }, fixture.context)).rejects.toThrow("do not allow")
    expect(fixture.patterns("read")).toEqual(["app/.env"])
  })

  it("reads a saved output without a question", async () => {
    const fixture = createToolFixture({ "*": "allow", external_directory: "deny" })
    const { writeFileSync } = await import("node:fs")
    const file = path.join(fixture.context.outputDirectory, "tool_1.txt")
    writeFileSync(file, "saved")
    expect((await runTool(tool, { filePath: file }, fixture.context)).output).toContain("saved")
  })
})
