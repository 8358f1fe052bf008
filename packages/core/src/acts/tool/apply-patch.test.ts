import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, readdirSync, statSync, symlinkSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { PatchMetadata } from "../../ground/schema/tool-metadata.ts"
import { createApplyPatchTool } from "./apply-patch.ts"
import { createFileLocks } from "./file-locks.ts"
import { localMachine } from "./local-machine.ts"
import { createMultieditTool } from "./multiedit.ts"
import { runTool } from "./run-tool.ts"
import { createToolFixture, type ToolFixture } from "./test/tool-fixture.ts"

const withFileLock = createFileLocks()
const tool = createApplyPatchTool({ withFileLock })
const multiedit = createMultieditTool({ withFileLock })

function patch({ context }: ToolFixture, ...lines: string[]) {
  return runTool(tool, { patchText: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") }, context)
}

describe("apply_patch", () => {
  it("changes several files after one question", async () => {
    const fixture = createToolFixture()
    fixture.write("a.ts", "one\ntwo\n")
    fixture.write("b.ts", "gone\n")
    const made = await patch(
      fixture,
      "*** Update File: a.ts",
      "@@",
      "-two",
      "+2",
      "*** Delete File: b.ts",
      "*** Add File: c/d.ts",
      "+new",
    )
    expect([fixture.read("a.ts"), fixture.read("c/d.ts")]).toEqual(["one\n2\n", "new\n"])
    expect(existsSync(path.join(fixture.project, "b.ts"))).toBe(false)
    expect(fixture.asks).toMatchObject([
      { permission: "edit", patterns: ["a.ts", "b.ts", "c/d.ts"], metadata: { kind: "changes" } },
    ])
    expect(PatchMetadata.parse(made.metadata).changes).toMatchObject([
      { file: "a.ts", created: false, additions: 1, deletions: 1 },
      { file: "c/d.ts", created: true, additions: 1 },
      { file: "b.ts", removed: true, deletions: 1 },
    ])
  })

  it("keeps no more than a million characters of diffs", async () => {
    const fixture = createToolFixture()
    const names = Array.from({ length: 7 }, (_, at) => `${at}.txt`)
    const lines = names.flatMap((name) => [`*** Add File: ${name}`, `+${"x".repeat(190_000)}`])
    const made = await patch(fixture, ...lines)
    const { changes } = PatchMetadata.parse(made.metadata)
    expect(changes.map(({ diffOmitted }) => diffOmitted)).toEqual([false, false, false, false, false, true, true])
  })

  it("moves a file with its mode, changed", async () => {
    const fixture = createToolFixture()
    chmodSync(fixture.write("run.sh", "\uFEFFone\r\ntwo\r\n"), 0o755)
    const made = await patch(fixture, "*** Update File: run.sh", "*** Move to: bin/go.sh", "@@", "-two", "+2")
    expect(fixture.read("bin/go.sh")).toBe("\uFEFFone\r\n2\r\n")
    expect(statSync(path.join(fixture.project, "bin/go.sh")).mode & 0o777).toBe(0o755)
    expect(existsSync(path.join(fixture.project, "run.sh"))).toBe(false)
    expect(made).toMatchObject({
      title: "bin/go.sh",
      output: "Moved run.sh to bin/go.sh: +1 −1 lines.\nRemoved run.sh.",
      metadata: {
        changes: [
          { file: "bin/go.sh", movedFrom: "run.sh" },
          { file: "run.sh", removed: true },
        ],
      },
    })
  })

  it.each<[string, string[], string]>([
    ["adds over a file", ["*** Add File: a.ts", "+x"], "exists already"],
    ["deletes a missing file", ["*** Delete File: none.ts"], "does not exist"],
    ["updates a missing file", ["*** Update File: none.ts", "@@", "-a", "+b"], "does not exist"],
    ["moves over a file", ["*** Update File: a.ts", "*** Move to: c.ts", "@@", "-one", "+1"], "exists already"],
    ["names a file twice", ["*** Delete File: a.ts", "*** Delete File: ./a.ts"], "more than once"],
    ["names a file twice, by a link", ["*** Delete File: a.ts", "*** Delete File: link.ts"], "more than once"],
    [
      "has lines that are not there",
      ["*** Update File: a.ts", "@@", "-zzz", "+x"],
      "These lines were not found in a.ts",
    ],
    ["leaves the project", ["*** Add File: .git/hooks/x", "+x"], "git's own data"],
    ["deletes a link", ["*** Delete File: link.ts"], "is a link or reached through one"],
    ["deletes a pipe", ["*** Delete File: pipe"], "not a regular file"],
    ["deletes a binary file", ["*** Delete File: bin.dat"], "not UTF-8"],
  ])("that %s changes nothing", async (_, lines, message) => {
    const fixture = createToolFixture()
    fixture.write("a.ts", "one\n")
    fixture.write("b.ts", "b\n")
    fixture.write("c.ts", "c\n")
    fixture.write("bin.dat", Buffer.from([0, 1]))
    symlinkSync(path.join(fixture.project, "a.ts"), path.join(fixture.project, "link.ts"))
    execFileSync("mkfifo", [path.join(fixture.project, "pipe")])
    const before = readdirSync(fixture.project)
    const call = patch(fixture, "*** Update File: b.ts", "@@", "-b", "+B", "*** Add File: new/x.ts", "+x", ...lines)
    await expect(call).rejects.toThrow(message)
    expect([fixture.read("a.ts"), fixture.read("b.ts")]).toEqual(["one\n", "b\n"])
    expect(readdirSync(fixture.project)).toEqual(before)
    expect(fixture.asks).toEqual([])
  })

  const full = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" })
  it.each([
    ["staged", 0],
    ["put in place", 1],
  ])("puts all files back when one cannot be %s", async (stage) => {
    const fixture = createToolFixture()
    fixture.write("a.ts", "one\n")
    fixture.write("b.ts", "two\n")
    const { files } = localMachine
    fixture.context.files = {
      ...files,
      async stage(real, content, options) {
        const fails = real.endsWith("b.ts")
        if (fails && stage === "staged") throw full
        const staged = await files.stage(real, content, options)
        return fails ? { ...staged, commit: () => Promise.reject(full) } : staged
      },
    }
    const call = patch(
      fixture,
      "*** Add File: new/c.ts",
      "+c",
      "*** Update File: a.ts",
      "@@",
      "-one",
      "+1",
      "*** Update File: b.ts",
      "@@",
      "-two",
      "+2",
    )
    await expect(call).rejects.toThrow(stage === "staged" ? /no space.*No file was changed/ : /no space.*were put back/)
    expect([fixture.read("a.ts"), fixture.read("b.ts")]).toEqual(["one\n", "two\n"])
    expect(readdirSync(fixture.project).sort()).toEqual(
      stage === "staged" ? [".git", "a.ts", "b.ts"] : [".git", "a.ts", "b.ts", "new"],
    )
    expect(readdirSync(fixture.project, { recursive: true }).filter((name) => String(name).endsWith(".tmp"))).toEqual(
      [],
    )
  })
})

describe("multiedit", () => {
  const edits = [
    { oldString: "one", newString: "1" },
    { oldString: "1\ntwo", newString: "1\n2" },
  ]

  it("makes all edits of one file, each on the result before it", async () => {
    const fixture = createToolFixture()
    fixture.write("a.ts", "one\ntwo\n")
    await runTool(multiedit, { filePath: "a.ts", edits }, fixture.context)
    expect(fixture.read("a.ts")).toBe("1\n2\n")
    expect(fixture.asks).toHaveLength(1)
  })

  it("makes none of them when one fails", async () => {
    const fixture = createToolFixture()
    fixture.write("a.ts", "one\ntwo\n")
    const call = runTool(
      multiedit,
      { filePath: "a.ts", edits: [...edits, { oldString: "x", newString: "y" }] },
      fixture.context,
    )
    await expect(call).rejects.toThrow(/Edit 3 of 3: oldString was not found.*None of the edits was made/s)
    expect(fixture.read("a.ts")).toBe("one\ntwo\n")
  })
})
