import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { createBashTool } from "./bash.ts"
import { createEditTool } from "./edit.ts"
import { createFileLocks } from "./file-locks.ts"
import { runTool } from "./run-tool.ts"
import { createToolFixture } from "./test/tool-fixture.ts"
import { createWriteTool } from "./write.ts"

const write = createWriteTool({ withFileLock: createFileLocks() })
const edit = createEditTool({ withFileLock: createFileLocks() })
const bash = createBashTool({ env: process.env, clock: Date.now })
const content = "{}\n"

describe("Docket's configuration", () => {
  it.each([
    "docket.json",
    "docket.jsonc",
    "Docket.JSON",
    "packages/web/docket.json",
    ".docket/agents/build.md",
    "packages/web/.docket/agents/build.md",
    "opencode.json",
    ".claude/agents/reviewer.md",
    "packages/web/.opencode/agent/reviewer.md",
    "src/../docket.json",
  ])("%s needs permission before it is written, whatever edit allows", async (filePath) => {
    const fixture = createToolFixture({ "*": "allow", edit: "allow" })
    await expect(runTool(write, { filePath, content }, fixture.context)).rejects.toThrow("rejected")
    expect(existsSync(path.join(fixture.project, filePath))).toBe(false)
    expect(fixture.asks.at(-1)?.always).toEqual(fixture.asks.at(-1)?.patterns)
  })

  it("is edited without a question by a rule naming it, unless denied", async () => {
    const allowed = createToolFixture({ "*": "allow", edit: { "docket.json": "allow", "*": "allow" } })
    await runTool(write, { filePath: "docket.json", content }, allowed.context)
    expect(allowed.read("docket.json")).toBe(content)
    const denied = createToolFixture({ "*": "allow", edit: { ".docket/*": "deny", "*": "allow" } })
    await expect(runTool(write, { filePath: ".docket/agents/a.md", content }, denied.context)).rejects.toThrow(
      "do not allow",
    )
  })

  it("is asked for by its own name when reached through links", async () => {
    const fixture = createToolFixture({ "*": "allow" })
    fixture.write("settings/own.json", content)
    fixture.write("notes.md", "---\n---\n")
    symlinkSync("settings/own.json", path.join(fixture.project, "docket.json"))
    mkdirSync(path.join(fixture.project, ".docket/agents"), { recursive: true })
    symlinkSync("../../notes.md", path.join(fixture.project, ".docket/agents/build.md"))
    symlinkSync(".docket", path.join(fixture.project, "innocent"))
    const asked = async (filePath: string) => {
      fixture.asks.length = 0
      await expect(runTool(write, { filePath, content: "x" }, fixture.context)).rejects.toThrow("rejected")
      return fixture.patterns("edit").toSorted()
    }
    expect(await asked("docket.json")).toEqual(["docket.json", "settings/own.json"])
    expect(await asked("settings/own.json")).toEqual(["docket.json", "settings/own.json"])
    expect(await asked("notes.md")).toEqual([".docket/agents/build.md", "notes.md"])
    expect(await asked("innocent/agents/new.md")).toEqual([".docket/agents/new.md"])
    expect(fixture.read("settings/own.json")).toBe(content)
    // Another file needs no permission.
    await runTool(write, { filePath: "settings/other.json", content }, fixture.context)
  })

  it("outside the project cannot be changed, even through links", async () => {
    const fixture = createToolFixture({ "*": "allow" })
    const own = fixture.context.ownDirectories[0]?.path ?? ""
    mkdirSync(own)
    writeFileSync(path.join(own, "docket.json"), content)
    symlinkSync(own, path.join(fixture.project, "linked"))
    for (const filePath of [path.join(own, "docket.json"), "linked/docket.json", "linked/agents/new.md"]) {
      await expect(runTool(write, { filePath, content: "x" }, fixture.context)).rejects.toThrow("Docket's own data")
      await expect(runTool(edit, { filePath, oldString: "{}", newString: "x" }, fixture.context)).rejects.toThrow(
        "Docket's own data",
      )
    }
    expect(fixture.asks).toEqual([])
    expect(readFileSync(path.join(own, "docket.json"), "utf8")).toBe(content)
  })
})

describe("Docket's data", () => {
  it("may contain a project, such as a worktree", async () => {
    const fixture = createToolFixture({ "*": "allow" })
    const root = path.dirname(fixture.project)
    const context = { ...fixture.context, ownDirectories: [{ path: root, except: path.join(root, "worktrees") }] }
    await runTool(write, { filePath: "a.txt", content }, context)
    await runTool(write, { filePath: path.join(root, "worktrees/task/a.txt"), content }, context)
    await expect(runTool(write, { filePath: path.join(fixture.outside, "a.txt"), content }, context)).rejects.toThrow(
      "Docket's own data",
    )
  })
})

describe("a command", () => {
  it.each([
    "echo '{}' > docket.json",
    "cd sub && echo x >> .docket/agents/build.md",
    "(cd /tmp); echo x > docket.json",
    "mv new.json docket.json",
    "mv other .docket",
    "cp sub/docket.json .",
    "tee docket.json < new.json",
    "sed -i s/a/b/ docket.json",
    "rm *.json",
    "rm {docket,new}.json",
    "dd if=new.json of=docket.json",
    "ln -sf new.json docket.json",
    "ln docket.json copy.json",
    "echo x > innocent",
    "sh -c 'echo x > docket.json'",
    "timeout -k 5 10 tee docket.json",
    "git checkout HEAD~1 -- docket.json",
    "git diff --output=docket.json",
  ])("that may change configuration asks for permission: %s", async (command) => {
    const fixture = createToolFixture({ "*": "allow", edit: "allow" })
    fixture.write("docket.json", content)
    fixture.write("new.json", content)
    fixture.write("sub/docket.json", content)
    fixture.write("sub/.docket/agents/build.md", content)
    symlinkSync("docket.json", path.join(fixture.project, "innocent"))
    await expect(runTool(bash, { command }, fixture.context)).rejects.toThrow("rejected")
    expect(fixture.patterns("edit").some((pattern) => /docket/.test(pattern))).toBe(true)
    expect(fixture.read("docket.json")).toBe(content)
  })

  it.each(["cat docket.json", "git status docket.json", "grep -r x docket.json", "echo x > new.json", "wc -l *.json"])(
    "that only reads configuration does not ask: %s",
    async (command) => {
      const fixture = createToolFixture({ "*": "allow", edit: "allow" })
      fixture.write("docket.json", content)
      await runTool(bash, { command }, fixture.context)
      expect(fixture.patterns("edit").filter((pattern) => /docket/.test(pattern))).toEqual([])
    },
  )

  it("with too many arguments asks for every place and the configuration named", async () => {
    const command = `touch ${"a ".repeat(300)} docket.json`
    const fixture = createToolFixture({ "*": "allow", edit: "allow" })
    await expect(runTool(bash, { command }, fixture.context)).rejects.toThrow("rejected")
    expect(fixture.patterns("edit")).toEqual(["docket.json"])
    expect(fixture.patterns("external_directory")).toEqual(["*"])
  })

  it("that may change the user's own configuration or Docket's data is refused", async () => {
    const fixture = createToolFixture("allow")
    const own = fixture.context.ownDirectories[0]?.path ?? ""
    mkdirSync(own)
    writeFileSync(path.join(own, "docket.json"), content)
    for (const command of [
      `echo x > ${own}/docket.json`,
      `cd ${own} && echo x > docket.json`,
      `rm -rf ${own}`,
      `sh -c 'mv a ${own}/docket.json'`,
    ])
      await expect(runTool(bash, { command }, fixture.context)).rejects.toThrow("Docket's own data")
    expect(readFileSync(path.join(own, "docket.json"), "utf8")).toBe(content)
  })

  it("that is invalid or not understood asks for everything it may touch", async () => {
    for (const command of ["ls )", "if then", "echo 'open", "for x in; do", "cat \u200b/etc/hosts"]) {
      const fixture = createToolFixture({ "*": "allow", bash: { "*": "allow", "rm *": "deny" } })
      await expect(runTool(bash, { command }, fixture.context)).rejects.toThrow("rejected")
      const outside = createToolFixture({ "*": "allow", external_directory: "ask" })
      await expect(runTool(bash, { command }, outside.context)).rejects.toThrow("rejected")
    }
  })

  it("inside a shell script argument asks for the places it names", async () => {
    const fixture = createToolFixture({ "*": "allow", external_directory: "ask" })
    writeFileSync(path.join(fixture.outside, "secret.txt"), "secret")
    for (const wrapper of ["sh -c", "nice -n 5 bash -ec", "eval"]) {
      const command = `${wrapper} 'cat ${fixture.outside}/secret.txt'`
      await expect(runTool(bash, { command }, fixture.context)).rejects.toThrow("rejected")
    }
  })
})
