import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, realpath, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { noAddresses } from "../../test/no-addresses.ts"
import { answer, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"
import { resolvePromptParts } from "./resolve-prompt-parts.ts"

const newProject = async () => realpath(await mkdtemp(join(tmpdir(), "docket-strange-")))
const pipe = (path: string) => execFileSync("mkfifo", [path])

describe("a project with pipes and devices where Docket looks for files", () => {
  it("works: they are reported or left out, without waiting", async () => {
    const directory = await newProject()
    await mkdir(join(directory, ".docket", "agents"), { recursive: true })
    await mkdir(join(directory, "docs"))
    pipe(join(directory, "docket.json"))
    pipe(join(directory, "AGENTS.md"))
    pipe(join(directory, ".docket", "agents", "reviewer.md"))
    pipe(join(directory, "docs", "rules.md"))
    pipe(join(directory, "key"))
    await symlink("/dev/zero", join(directory, "CLAUDE.md"))
    await symlink("/dev/zero", join(directory, "docs", "endless.md"))
    const config = { instructions: ["docs/*.md"], agent: { general: { prompt: "{file:key}" } } }
    await writeFile(join(directory, "docket.jsonc"), JSON.stringify(config))
    await using host = await scriptedRuntime(
      (options) =>
        toolResults(options).length > 0
          ? answer(toolResults(options).join(" | "))
          : answer("", { tool: "read", input: { filePath: "key" } }),
      { directory },
    )
    const { projectID } = host.session
    const { trust } = await host.runtime.config.get(projectID)
    await host.runtime.config.trust({ projectID, hash: trust.hash ?? "" })
    const { problems } = await host.runtime.config.get(projectID)
    expect(problems.map(({ message }) => message).sort()).toEqual([
      expect.stringContaining("is a pipe, not a regular file. Everything is asked"),
      expect.stringContaining('is a pipe, not a regular file. The agent "reviewer" is left out'),
      expect.stringContaining("instructions: it is a link that leads out of the project"),
      expect.stringContaining("instructions: it is a link that leads out of the project"),
      expect.stringContaining("instructions: it is a pipe, not a regular file"),
      expect.stringContaining("instructions: it is a pipe, not a regular file"),
      expect.stringMatching(/^\{file:.*key\}: .*key is a pipe, not a regular file$/),
    ])
    const ending = host.prompt("Read the key")
    const asked = await host.until((event) => event.type === "permission.asked")
    if (asked.type !== "permission.asked") throw new Error("not asked")
    await host.runtime.permission.reply(asked.properties.request.id, "once")
    expect((await ending).status).toBe("completed")
    const { items } = await host.messages()
    expect(JSON.stringify(items)).toContain("is not a regular file")
  })
})

describe("an attachment", () => {
  it("that is a pipe, device or directory is named but not read", async () => {
    const directory = await newProject()
    pipe(join(directory, "pipe"))
    await symlink("/dev/zero", join(directory, "zero"))
    const rights = { ...noAddresses, worktree: directory, mayRead: () => true }
    const textOf = async (name: string) => {
      const url = pathToFileURL(join(directory, name)).href
      const parts = await resolvePromptParts([{ type: "file", mime: "text/plain", url, filename: name }], rights)
      return parts.flatMap((part) => (part.type === "text" ? [part.text] : []))
    }
    expect(await textOf("pipe")).toEqual([expect.stringContaining("is not a regular file (a pipe, socket or device)")])
    expect(await textOf("zero")).toEqual([expect.stringContaining("a link that leads outside the project")])
    expect(await textOf(".")).toEqual([expect.stringContaining("List it")])
  })
})
