import { execFileSync } from "node:child_process"
import { symlinkSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { createProjectFiles } from "../../setup/project/project-files.ts"
import { createEditTool } from "./edit.ts"
import { createFileLocks } from "./file-locks.ts"
import { createGlobTool } from "./glob.ts"
import { createGrepTool } from "./grep.ts"
import { createReadTool } from "./read.ts"
import { findRipgrep } from "./ripgrep.ts"
import { runTool } from "./run-tool.ts"
import { createToolFixture } from "./test/tool-fixture.ts"
import { createWriteTool } from "./write.ts"

const ripgrep = findRipgrep()
/** ms; without its check, the tested call would wait forever. */
const timeout = 300

function projectWithPipes() {
  const fixture = createToolFixture()
  execFileSync("mkfifo", [path.join(fixture.project, "pipe")])
  symlinkSync("/dev/zero", path.join(fixture.project, "zero"))
  fixture.write("a.ts", "const here = 1\n")
  return fixture
}

describe("a pipe or device in the project", () => {
  it.each(["pipe", "zero"])("is refused by read, edit, write and grep: %s", async (name) => {
    const fixture = projectWithPipes()
    const withFileLock = createFileLocks()
    const refused = /is not a (?:regular file|file of a project)/
    const run = (tool: Parameters<typeof runTool>[0], args: unknown) => runTool(tool, args, fixture.context)
    await expect(run(createReadTool(), { filePath: name })).rejects.toThrow(refused)
    const edit = { filePath: name, oldString: "a", newString: "b" }
    await expect(run(createEditTool({ withFileLock }), edit)).rejects.toThrow(refused)
    await expect(run(createWriteTool({ withFileLock }), { filePath: name, content: "x" })).rejects.toThrow(refused)
    await expect(run(createGrepTool({ ripgrep }), { pattern: "a", path: name })).rejects.toThrow(refused)
  })

  it("is passed over by searches of a directory", async () => {
    const fixture = projectWithPipes()
    const found = await runTool(createGrepTool({ ripgrep }), { pattern: "here" }, fixture.context)
    expect(found.output).toContain("a.ts")
  })

  it("in place of .gitignore ends a search with an explanation", async () => {
    const fixture = projectWithPipes()
    execFileSync("mkfifo", [path.join(fixture.project, ".gitignore")])
    const slow = /took more than 0.3 s and was ended.*\.gitignore be a pipe/
    const grep = createGrepTool({ ripgrep, timeout })
    await expect(runTool(grep, { pattern: "here" }, fixture.context)).rejects.toThrow(slow)
    await expect(runTool(createGlobTool({ ripgrep, timeout }), { pattern: "*" }, fixture.context)).rejects.toThrow(slow)
    const files = createProjectFiles({ ripgrep, clock: Date.now, timeout })
    expect(await files.search(fixture.project, "a", 5)).toEqual([])
  })
})
