import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { createEditTool } from "./edit.ts"
import { createFileLocks } from "./file-locks.ts"
import { runTool } from "./run-tool.ts"
import { createToolFixture } from "./test/tool-fixture.ts"
import { createWriteTool } from "./write.ts"

const write = createWriteTool({ withFileLock: createFileLocks() })
const edit = createEditTool({ withFileLock: createFileLocks() })
const content = "{}\n"

describe("Docket's configuration", () => {
  it.each([
    "docket.json",
    "docket.jsonc",
    "Docket.JSON",
    "packages/web/docket.json",
    ".docket/agents/build.md",
    "packages/web/.docket/agents/build.md",
    "src/../docket.json",
  ])("%s is asked for before it is written, whatever edit allows", async (filePath) => {
    const fixture = createToolFixture({ "*": "allow", edit: "allow" })
    await expect(runTool(write, { filePath, content }, fixture.context)).rejects.toThrow("rejected")
    expect(existsSync(path.join(fixture.project, filePath))).toBe(false)
    expect(fixture.asks.at(-1)?.always).toEqual(fixture.asks.at(-1)?.patterns)
  })

  it("is edited without a question by a rule that names it; a deny stands", async () => {
    const allowed = createToolFixture({ "*": "allow", edit: { "docket.json": "allow", "*": "allow" } })
    await runTool(write, { filePath: "docket.json", content }, allowed.context)
    expect(allowed.read("docket.json")).toBe(content)
    const denied = createToolFixture({ "*": "allow", edit: { ".docket/*": "deny", "*": "allow" } })
    await expect(runTool(write, { filePath: ".docket/agents/a.md", content }, denied.context)).rejects.toThrow(
      "do not allow",
    )
  })

  it("is asked for by its own name too when it is a link, and when the file is what a link of it leads to", async () => {
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
    await runTool(write, { filePath: "settings/other.json", content }, fixture.context)
  })

  it("of the user and Docket's data are never changed, not by a link either", async () => {
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

  it("is not in the way of a project that lies in Docket's data, as a task's worktree does", async () => {
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
