import { execFileSync } from "node:child_process"
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"
import { createWorktrees } from "./worktrees.ts"

async function repository(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-worktree-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const git = (...args: string[]) => execFileSync("git", ["-C", directory, ...args])
  git("init", "-q", "-b", "main")
  await writeFile(join(directory, "a.txt"), "one\n")
  git("add", "-A")
  git("-c", "user.name=T", "-c", "user.email=t@localhost", "commit", "-q", "-m", "first")
  return directory
}

const config = { agent: { general: { isolation: "worktree" } }, permission: "allow" }

async function isolatedHost(directory: string, content: string) {
  await writeFile(join(directory, ".gitignore"), ".data\n.home\n.gitignore\n")
  return scriptedRuntime(
    (options) => {
      if (lastUserText(options) === "change a") {
        const done = toolResults(options).length
        if (done > 1) return answer("changed")
        const read = { tool: "read", input: { filePath: "a.txt" } }
        return answer("", done === 0 ? read : { tool: "write", input: { filePath: "a.txt", content } })
      }
      if (toolResults(options).length > 0) return answer("end")
      return answer("", {
        tool: "task",
        input: { description: "Change a", prompt: "change a", subagent_type: "general" },
      })
    },
    { directory, config },
  )
}

test("an isolated child's result names branch and diff, which can be merged", async () => {
  const directory = await repository()
  await using host = await isolatedHost(directory, "two\n")
  await host.prompt("Start")
  const [task] = await host.runtime.task.list(host.session.id)
  expect(task).toMatchObject({ state: "completed", worktree: { state: "ready" } })
  expect(task?.result).toContain(`The changes are on branch ${task?.worktree?.branch}:`)
  expect(task?.result).toContain("a.txt | 2 +-")
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("one\n")
  const merged = await host.runtime.task.merge(task?.id ?? "")
  expect(merged.worktree?.state).toBe("merged")
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("two\n")
  expect(execFileSync("git", ["-C", directory, "branch", "--list", "docket/*"]).toString()).toBe("")
  expect(await readdir(join(directory, ".data", "worktrees"))).toEqual([])
  await expect(host.runtime.task.merge(task?.id ?? "")).rejects.toMatchObject({ code: "invalid_input" })
})

test("a conflicting merge names the files and changes nothing", async () => {
  const directory = await repository()
  await using host = await isolatedHost(directory, "theirs\n")
  await host.prompt("Start")
  await writeFile(join(directory, "a.txt"), "ours\n")
  execFileSync("git", [
    "-C",
    directory,
    "-c",
    "user.name=T",
    "-c",
    "user.email=t@localhost",
    "commit",
    "-q",
    "-am",
    "ours",
  ])
  const [task] = await host.runtime.task.list(host.session.id)
  const result = await host.runtime.task.merge(task?.id ?? "")
  expect(result.worktree).toMatchObject({ state: "conflict", conflicts: ["a.txt"] })
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("ours\n")
  expect(execFileSync("git", ["-C", directory, "status", "--porcelain"]).toString()).toBe("")
})

test("unchanged worktrees and leftovers of a crash are removed", async () => {
  const directory = await repository()
  const root = join(directory, ".worktrees")
  const worktrees = createWorktrees({ root, env: process.env })
  const time = { created: 1, opened: 1 }
  const project = { id: "prj_0", name: "p", directory, worktree: directory, git: true, time }
  const unchanged = await worktrees.create(project, "Do nothing!")
  expect(await worktrees.finish(unchanged, "nothing")).toMatchObject({ state: "removed" })
  const kept = await worktrees.create(project, "kept")
  await worktrees.create(project, "left over")
  await worktrees.sweep([kept], async () => false)
  expect(await readdir(root)).toEqual([kept.directory.split("/").at(-1)])
  await expect(worktrees.create({ ...project, git: false }, "x")).rejects.toMatchObject({ code: "worktree_failed" })
})
