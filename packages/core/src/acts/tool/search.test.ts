import { rmSync, utimesSync, writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { GlobMetadata, GrepMetadata, ListMetadata } from "../../ground/schema/tool-metadata.ts"
import { createGlobTool } from "./glob.ts"
import { createGrepTool } from "./grep.ts"
import { createListTool } from "./list.ts"
import { findRipgrep } from "./ripgrep.ts"
import { runTool } from "./run-tool.ts"
import { createToolFixture, insideOnly } from "./test/tool-fixture.ts"

const ripgrep = findRipgrep()
const glob = createGlobTool({ ripgrep })
const grep = createGrepTool({ ripgrep })
const list = createListTool()

describe("glob", () => {
  it("finds files, newest first, without ignored ones", async () => {
    const fixture = createToolFixture()
    fixture.write(".gitignore", "ignored/\n")
    for (const [index, name] of [
      "src/a.ts",
      "src/deep/b.ts",
      "c.ts",
      "ignored/d.ts",
      "node_modules/x/e.ts",
    ].entries()) {
      utimesSync(fixture.write(name, ""), 1_000 + index, 1_000 + index)
    }
    const result = await runTool(glob, { pattern: "**/*.ts" }, fixture.context)
    expect(GlobMetadata.parse(result.metadata)).toEqual({
      count: 3,
      files: ["c.ts", "src/deep/b.ts", "src/a.ts"],
      truncated: false,
    })
    const inside = await runTool(glob, { pattern: "*.ts", path: "src" }, fixture.context)
    expect(inside.output).toBe("src/deep/b.ts\nsrc/a.ts")
    const absolute = await runTool(glob, { pattern: `${fixture.project}/src/*.ts` }, fixture.context)
    expect(absolute.output).toBe("src/a.ts")
  })

  it("shows at most 100 files", async () => {
    const fixture = createToolFixture()
    for (let index = 0; index < 120; index++) fixture.write(`${index}.txt`, "")
    const result = await runTool(glob, { pattern: "*.txt" }, fixture.context)
    expect(result.metadata).toMatchObject({ count: 100, truncated: true })
  })

  it("reports no matches and a bad pattern, and refuses a place outside", async () => {
    const fixture = createToolFixture(insideOnly)
    expect((await runTool(glob, { pattern: "*.none" }, fixture.context)).output).toBe("No files match.")
    await expect(runTool(glob, { pattern: "{a" }, fixture.context)).rejects.toThrow("not valid")
    await expect(runTool(glob, { pattern: "*", path: "/etc" }, fixture.context)).rejects.toThrow("rejected")
    await expect(runTool(glob, { pattern: "../outside/*" }, fixture.context)).resolves.toMatchObject({
      metadata: { count: 0 },
    })
  })
})

describe("grep", () => {
  it("groups matches by file, newest first", async () => {
    const fixture = createToolFixture()
    utimesSync(fixture.write("old.ts", "foo()\nbar\nfoo(1)\n"), 1_000, 1_000)
    fixture.write("src/new.ts", "  foo(2)\n")
    fixture.write("other.md", "foo(3)")
    const result = await runTool(grep, { pattern: "foo\\(", include: "*.ts" }, fixture.context)
    expect(result.output).toBe("src/new.ts\n  1:   foo(2)\nold.ts\n  1: foo()\n  3: foo(1)")
    expect(GrepMetadata.parse(result.metadata)).toMatchObject({ matches: 3, truncated: false })
    const one = await runTool(grep, { pattern: "foo", path: "other.md" }, fixture.context)
    expect(one.output).toBe("other.md\n  1: foo(3)")
    const deep = await runTool(grep, { pattern: "foo", include: "src/**/*.ts" }, fixture.context)
    expect(deep.output).toBe("src/new.ts\n  1:   foo(2)")
    const below = await runTool(grep, { pattern: "foo", path: "src" }, fixture.context)
    expect(below.output).toContain("src/new.ts")
  })

  it("names files relative to a session directory below the worktree", async () => {
    const fixture = createToolFixture()
    fixture.write("app/src/a.ts", "needle")
    fixture.write("lib/b.ts", "needle")
    const context = { ...fixture.context, directory: path.join(fixture.project, "app") }
    const own = await runTool(grep, { pattern: "needle" }, context)
    expect(own.output).toBe("src/a.ts\n  1: needle")
    expect(GrepMetadata.parse(own.metadata).files.map((match) => match.file)).toEqual(["app/src/a.ts"])
    expect((await runTool(glob, { pattern: "*.ts" }, context)).output).toBe("src/a.ts")
    expect((await runTool(grep, { pattern: "needle", path: "../lib" }, context)).output).toContain("../lib/b.ts")
  })

  it("caps matches and line lengths", async () => {
    const fixture = createToolFixture()
    fixture.write("many.txt", "match\n".repeat(10_000))
    fixture.write("wide.txt", `needle ${"x".repeat(1_000_000)}`)
    const many = await runTool(grep, { pattern: "match" }, fixture.context)
    expect(many.metadata).toMatchObject({ matches: 100, truncated: true })
    const wide = await runTool(grep, { pattern: "needle" }, fixture.context)
    expect(wide.output.length).toBeLessThan(700)
  })

  it("explains a bad expression, and searches for a pattern like an option", async () => {
    const fixture = createToolFixture()
    fixture.write("a.txt", "--files here")
    await expect(runTool(grep, { pattern: "foo(" }, fixture.context)).rejects.toThrow(
      /failed[\s\S]*unclosed group[\s\S]*backslash/,
    )
    expect((await runTool(grep, { pattern: "--files" }, fixture.context)).output).toContain("a.txt")
    expect((await runTool(grep, { pattern: "none" }, fixture.context)).output).toBe("No matches.")
  })

  it("searches without delay for an expensive expression", async () => {
    const fixture = createToolFixture()
    fixture.write("a.txt", "a".repeat(50_000))
    const result = await runTool(grep, { pattern: "(a+)+b" }, fixture.context)
    expect(result.output).toBe("No matches.")
  })

  it("shows nothing of files that may not be read", async () => {
    const fixture = createToolFixture({ "*": "allow", read: { "*": "allow", "secret/*": "deny" } })
    fixture.write("secret/a.txt", "needle 1")
    fixture.write("open.txt", "needle 2")
    fixture.write(".env", "needle=3")
    const result = await runTool(grep, { pattern: "needle" }, fixture.context)
    expect(result.output).toBe(
      "open.txt\n  1: needle 2\n(Matches in 1 files are not shown: the user's rules do not allow reading them.)",
    )
  })

  it("stops on abort", async () => {
    const fixture = createToolFixture()
    writeFileSync(path.join(fixture.project, "big.txt"), Buffer.alloc(50_000_000, "abc\n"))
    const call = runTool(grep, { pattern: "zzz" }, fixture.context)
    setImmediate(() => fixture.abort.abort())
    await expect(call).rejects.toMatchObject({ name: "AbortError" })
  })
})

describe("list", () => {
  it("draws a tree without dependencies", async () => {
    const fixture = createToolFixture()
    for (const name of ["src/a.ts", "src/deep/b.ts", "readme.md", "node_modules/x/y.js", "tmp/z"])
      fixture.write(name, "")
    const result = await runTool(list, { ignore: ["tmp/"] }, fixture.context)
    expect(result.output).toBe("./\n  src/\n    deep/\n      b.ts\n    a.ts\n  readme.md")
    expect(ListMetadata.parse(result.metadata)).toEqual({ directory: ".", count: 5, truncated: false })
  })

  it("cuts depth before breadth", async () => {
    const fixture = createToolFixture()
    for (let index = 0; index < 99; index++) fixture.write(`a/${index}.txt`, "")
    fixture.write("z.txt", "")
    const result = await runTool(list, {}, fixture.context)
    expect(result.output).toContain("z.txt")
    expect(result.metadata).toMatchObject({ count: 100, truncated: true })
  })
})

it.each([
  ["list", list, {}],
  ["glob", glob, { pattern: "*" }],
  ["grep", grep, { pattern: "a" }],
] as const)("%s says that the project's directory is gone", async (_name, tool, args) => {
  const fixture = createToolFixture()
  rmSync(fixture.project, { recursive: true })
  await expect(runTool(tool, args, fixture.context)).rejects.toThrow(/^The directory \S+ does not exist\.$/)
})
