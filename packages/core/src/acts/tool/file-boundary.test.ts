import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { openChecked, writeAtomic } from "./checked-file.ts"
import { createEditTool } from "./edit.ts"
import { createFileLocks } from "./file-locks.ts"
import { createGlobTool } from "./glob.ts"
import { createGrepTool } from "./grep.ts"
import { createReadTool } from "./read.ts"
import { findRipgrep } from "./ripgrep.ts"
import { runTool } from "./run-tool.ts"
import { createToolFixture, insideOnly } from "./test/tool-fixture.ts"
import { createWriteTool } from "./write.ts"

const read = createReadTool()
const write = createWriteTool({ withFileLock: createFileLocks() })
const edit = createEditTool({ withFileLock: createFileLocks() })

describe("file tools at the edge of the worktree", () => {
  it.each([
    ["a path with ..", "../outside/secret.txt"],
    ["a hidden ..", "src/../../outside/secret.txt"],
    ["a link to a file", "link.txt"],
    ["a link to a directory", "linked/secret.txt"],
    ["a link to a link", "second/secret.txt"],
  ])("ask before reading through %s", async (_name, filePath) => {
    const fixture = createToolFixture(insideOnly)
    writeFileSync(path.join(fixture.outside, "secret.txt"), "secret")
    symlinkSync(path.join(fixture.outside, "secret.txt"), path.join(fixture.project, "link.txt"))
    symlinkSync(fixture.outside, path.join(fixture.project, "linked"))
    symlinkSync("linked", path.join(fixture.project, "second"))
    await expect(runTool(read, { filePath }, fixture.context)).rejects.toThrow("rejected")
    expect(fixture.patterns("external_directory")).toEqual([`${fixture.outside}/*`])
  })

  it.each([
    ["read", "../outside/secret.txt"],
    ["read", "../outside/none"],
    ["read", "linked/secret.txt"],
    ["write", "../outside/new.txt"],
    ["write", "linked/new.txt"],
    ["edit", "linked/secret.txt"],
    ["grep", "../outside"],
    ["grep", ".."],
    ["glob", "linked"],
  ] as const)("open nothing outside the workspace, even when rules allow it: %s %s", async (tool, place) => {
    const fixture = createToolFixture()
    writeFileSync(path.join(fixture.outside, "secret.txt"), "secret")
    symlinkSync(fixture.outside, path.join(fixture.project, "linked"))
    const context = { ...fixture.context, directoryLimits: { roots: [fixture.project], others: [] } }
    const calls = {
      read: () => runTool(read, { filePath: place }, context),
      write: () => runTool(write, { filePath: place, content: "x" }, context),
      edit: () => runTool(edit, { filePath: place, oldString: "secret", newString: "x" }, context),
      grep: () => runTool(createGrepTool({ ripgrep: findRipgrep() }), { pattern: "secret", path: place }, context),
      glob: () => runTool(createGlobTool({ ripgrep: findRipgrep() }), { pattern: "*", path: place }, context),
    }
    await expect(calls[tool]()).rejects.toThrow("is in no directory of this workspace")
    expect(fixture.patterns("external_directory")).toEqual([])
    expect(readdirSync(fixture.outside)).toEqual(["secret.txt"])
  })

  it("ask before they create a file through a link that points nowhere", async () => {
    const fixture = createToolFixture(insideOnly)
    symlinkSync(path.join(fixture.outside, "new.txt"), path.join(fixture.project, "dangling"))
    await expect(runTool(write, { filePath: "dangling", content: "x" }, fixture.context)).rejects.toThrow("rejected")
    expect(fixture.patterns("external_directory")).toEqual([`${fixture.outside}/*`])
    expect(readdirSync(fixture.outside)).toEqual([])
  })

  it("show the person the write outside before the model sees the file", async () => {
    const fixture = createToolFixture(insideOnly)
    writeFileSync(path.join(fixture.outside, "card.ts"), "old\n")
    const call = { filePath: "../outside/card.ts", content: "new\n" }
    await expect(runTool(write, call, fixture.context)).rejects.toThrow("rejected")
    const [ask] = fixture.asks
    const about = typeof ask?.metadata === "function" ? await ask.metadata() : null
    const file = path.join(fixture.outside, "card.ts")
    expect(about).toMatchObject({ kind: "change", file, created: false, diff: expect.stringContaining("+new") })
  })

  it("hide whether a file outside exists until the user has answered", async () => {
    const fixture = createToolFixture(insideOnly)
    await expect(runTool(read, { filePath: "../outside/none" }, fixture.context)).rejects.toThrow("rejected")
  })

  it("write outside after permission was given", async () => {
    const fixture = createToolFixture()
    const filePath = path.join(fixture.outside, "deep/new.txt")
    await runTool(write, { filePath, content: "hello" }, fixture.context)
    expect(readFileSync(filePath, "utf8")).toBe("hello")
    expect(fixture.patterns("edit")).toEqual([filePath])
  })

  it.each(["/proc/self/environ", "/proc/self/fd/0", "/dev/zero", "/sys/kernel"])("refuse %s", async (filePath) => {
    const fixture = createToolFixture()
    await expect(runTool(read, { filePath }, fixture.context)).rejects.toThrow("refused")
    symlinkSync(filePath, path.join(fixture.project, "innocent"))
    await expect(runTool(read, { filePath: "innocent" }, fixture.context)).rejects.toThrow("refused")
  })

  it("refuse a named pipe without waiting for a writer", async () => {
    const fixture = createToolFixture()
    execFileSync("mkfifo", [path.join(fixture.project, "pipe")])
    await expect(runTool(read, { filePath: "pipe" }, fixture.context)).rejects.toThrow("not a regular file")
    await expect(runTool(write, { filePath: "pipe", content: "" }, fixture.context)).rejects.toThrow(
      "not a regular file",
    )
  })

  it("refuse a loop of links and a NUL", async () => {
    const fixture = createToolFixture()
    symlinkSync("loop", path.join(fixture.project, "loop"))
    await expect(runTool(read, { filePath: "loop" }, fixture.context)).rejects.toThrow("loop of symbolic links")
    await expect(runTool(read, { filePath: "a\0b" }, fixture.context)).rejects.toThrow("NUL")
  })

  it("refuse to change git's own data", async () => {
    const fixture = createToolFixture()
    const call = runTool(write, { filePath: ".git/hooks/pre-commit", content: "x" }, fixture.context)
    await expect(call).rejects.toThrow("git")
  })

  it("refuse a directory replaced by a link after the check", async () => {
    const fixture = createToolFixture()
    const real = fixture.write("dir/file.txt", "inside")
    writeFileSync(path.join(fixture.outside, "file.txt"), "outside")
    renameSync(path.join(fixture.project, "dir"), path.join(fixture.project, "moved"))
    symlinkSync(fixture.outside, path.join(fixture.project, "dir"))
    await expect(openChecked(real)).rejects.toThrow("changed into something else")
    await expect(writeAtomic(real, Buffer.from("x"), { mode: null })).rejects.toThrow("changed into something else")
    expect(readFileSync(path.join(fixture.outside, "file.txt"), "utf8")).toBe("outside")
  })

  it("refuse a file replaced by a link during the question", async () => {
    const fixture = createToolFixture()
    const file = fixture.write("a.txt", "one")
    writeFileSync(path.join(fixture.outside, "a.txt"), "one")
    const ask = fixture.context.ask
    fixture.context.ask = async (request) => {
      await ask(request)
      if (request.permission !== "edit") return
      rmSync(file)
      symlinkSync(path.join(fixture.outside, "a.txt"), file)
    }
    const call = runTool(edit, { filePath: "a.txt", oldString: "one", newString: "two" }, fixture.context)
    await expect(call).rejects.toThrow("changed into something else")
    expect(readFileSync(path.join(fixture.outside, "a.txt"), "utf8")).toBe("one")
  })

  it("create no directory behind a link that was swapped in", async () => {
    const fixture = createToolFixture()
    mkdirSync(path.join(fixture.project, "dir"))
    fixture.context.ask = async () => {
      renameSync(path.join(fixture.project, "dir"), path.join(fixture.project, "moved"))
      symlinkSync(fixture.outside, path.join(fixture.project, "dir"))
    }
    const call = runTool(write, { filePath: "dir/a/b/new.txt", content: "x" }, fixture.context)
    await expect(call).rejects.toThrow("changed into something else")
    expect(readdirSync(fixture.outside)).toEqual([])
  })

  it("never reach outside while another process keeps swapping a directory", async () => {
    const fixture = createToolFixture(insideOnly)
    writeFileSync(path.join(fixture.outside, "file.txt"), "outside")
    const directory = path.join(fixture.project, "dir")
    for (let round = 0; round < 200; round++) {
      rmSync(directory, { recursive: true, force: true })
      mkdirSync(directory)
      writeFileSync(path.join(directory, "file.txt"), "inside")
      const calls = Promise.allSettled([
        runTool(read, { filePath: "dir/file.txt" }, fixture.context),
        runTool(edit, { filePath: "dir/file.txt", oldString: "inside", newString: "changed" }, fixture.context),
      ])
      for (let turn = 0; turn < round % 7; turn++) await new Promise(setImmediate)
      renameSync(directory, `${directory}-${round}`)
      symlinkSync(fixture.outside, directory)
      const [first] = await calls
      if (first.status === "fulfilled") expect(first.value.output).not.toContain("outside")
      expect(readFileSync(path.join(fixture.outside, "file.txt"), "utf8")).toBe("outside")
    }
  })
})
