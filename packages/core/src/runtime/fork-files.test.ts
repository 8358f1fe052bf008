import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { createInMemoryStore } from "../ground/store/index.ts"
import { localCaller } from "../test/as-local.ts"
import { answer, lastUserText, type ScriptedRuntime, scriptedRuntime, toolResults } from "../test/scripted-runtime.ts"

/** A directory for a project; the data lies beside it. */
async function newDirectory() {
  const base = await realpath(await mkdtemp(join(tmpdir(), "docket-fork-")))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const directory = join(base, "project")
  await mkdir(directory)
  return directory
}

const dataDirectory = "../data"

const gitIn =
  (directory: string) =>
  (...args: string[]) =>
    execFileSync("git", ["-C", directory, "-c", "user.name=T", "-c", "user.email=t@localhost", ...args]).toString()

async function repository() {
  const directory = await newDirectory()
  await writeFile(join(directory, ".gitignore"), ".home\nignored.txt\n")
  await writeFile(join(directory, "a.txt"), "zero\n")
  await writeFile(join(directory, "old.txt"), "old\n")
  const git = gitIn(directory)
  git("init", "-q", "-b", "main")
  git("add", "-A")
  git("commit", "-q", "-m", "first")
  return directory
}

/** An agent that runs the prompt as a command. */
const hosted = (directory: string, more: object = {}) =>
  scriptedRuntime(
    (call) =>
      toolResults(call).length > 0
        ? answer("Done.")
        : answer("", { tool: "bash", input: { command: lastUserText(call), description: "Run it" } }),
    { directory, dataDirectory, config: { permission: "allow" }, ...more },
  )

const promptOf = async (host: ScriptedRuntime, text: string, sessionID = host.session.id) => {
  const turn = await host.runtime.prompt.submit(sessionID, { parts: [{ type: "text", text }] })
  await host.runtime.prompt.wait(turn.id)
  const { items } = await host.messages(sessionID)
  return items.findLast(({ info }) => info.role === "user")?.info.id ?? ""
}

const textIn = (directory: string, name: string) => readFile(join(directory, name), "utf8").catch(() => null)

test("a fork with its files works on those of its message", async () => {
  const directory = await repository()
  await using host = await hosted(directory)
  await writeFile(join(directory, "mine.txt"), "mine\n")
  await writeFile(join(directory, "ignored.txt"), "secret\n")
  await promptOf(host, "echo one > a.txt; echo new > new.txt; rm old.txt")
  const second = await promptOf(host, "echo two > a.txt; rm new.txt; echo late > late.txt")
  const fork = await host.runtime.session.fork(host.session.id, { messageID: second, worktree: true })
  expect(fork).toMatchObject({ branch: `docket/${fork.id}`, projectID: host.session.projectID })
  expect((await readdir(fork.directory)).sort()).toEqual([".git", ".gitignore", "a.txt", "mine.txt", "new.txt"])
  expect([await textIn(fork.directory, "a.txt"), await textIn(directory, "a.txt")]).toEqual(["one\n", "two\n"])
  expect(gitIn(fork.directory)("status", "--porcelain")).toBe(" M a.txt\n D old.txt\n?? mine.txt\n?? new.txt\n")
  // It works there, and what it does can be undone there.
  const third = await promptOf(host, "echo forked > a.txt", fork.id)
  expect([await textIn(fork.directory, "a.txt"), await textIn(directory, "a.txt")]).toEqual(["forked\n", "two\n"])
  await host.runtime.session.revert(fork.id, third)
  expect([await textIn(fork.directory, "a.txt"), await textIn(directory, "a.txt")]).toEqual(["one\n", "two\n"])
})

test("a fork after an undo has the files that its conversation knows", async () => {
  const directory = await repository()
  await using host = await hosted(directory)
  const first = await promptOf(host, "echo one > a.txt")
  const second = await promptOf(host, "echo two > a.txt")
  await host.runtime.session.revert(host.session.id, second)
  const text = async (messageID?: string) => {
    const { directory: place } = await host.runtime.session.fork(host.session.id, { messageID, worktree: true })
    return textIn(place, "a.txt")
  }
  expect(await text()).toBe("one\n")
  expect(await text(second)).toBe("one\n")
  expect(await text(first)).toBe("zero\n")
})

test("a fork with files of a lower directory works in it", async () => {
  const top = await repository()
  await mkdir(join(top, "app"))
  await using host = await hosted(join(top, "app"), { dataDirectory: "../../data" })
  await promptOf(host, "echo one > b.txt")
  const fork = await host.runtime.session.fork(host.session.id, { worktree: true })
  expect(fork.directory.endsWith(`/${fork.id}/app`)).toBe(true)
  await promptOf(host, "cat b.txt > c.txt", fork.id)
  expect([await textIn(fork.directory, "c.txt"), await textIn(join(top, "app"), "c.txt")]).toEqual(["one\n", null])
})

test("a removed fork takes its worktree along, not commits only there", async () => {
  const directory = await repository()
  await using host = await hosted(directory)
  const [plain, used] = await Promise.all([
    host.runtime.session.fork(host.session.id, { worktree: true }),
    host.runtime.session.fork(host.session.id, { worktree: true }),
  ])
  const git = gitIn(used.directory)
  git("commit", "-q", "--allow-empty", "-m", "work")
  for (const { id } of [plain, used]) await host.runtime.session.remove(id)
  expect([existsSync(plain.directory), existsSync(used.directory)]).toEqual([false, false])
  expect(gitIn(directory)("branch", "--list", "--format=%(refname:short)", "docket/*")).toBe(`${used.branch}\n`)
})

test("a restart keeps worktrees of forks and removes those of none", async () => {
  const directory = await repository()
  const store = createInMemoryStore()
  const host = await hosted(directory, { store })
  const fork = await host.runtime.session.fork(host.session.id, { worktree: true })
  const lost = `ses_${"0".repeat(26)}`
  const place = join(directory, dataDirectory, "worktrees", lost)
  gitIn(directory)("worktree", "add", "-q", "-b", `docket/${lost}`, place)
  await host[Symbol.asyncDispose]()
  await using _ = await hosted(directory, { store })
  expect([existsSync(fork.directory), existsSync(place)]).toEqual([true, false])
})

test("a fork with files is refused without git, commit or such message", async () => {
  const bare = await newDirectory()
  await using host = await hosted(bare)
  const fork = host.runtime.session.fork(host.session.id, { worktree: true })
  await expect(fork).rejects.toMatchObject({ code: "worktree_failed", message: expect.stringContaining("git init") })
  const empty = await newDirectory()
  gitIn(empty)("init", "-q")
  await using unborn = await hosted(empty)
  const early = unborn.runtime.session.fork(unborn.session.id, { worktree: true })
  await expect(early).rejects.toThrow("no commit yet. Make one, or fork the conversation alone.")
  const directory = await repository()
  await using third = await hosted(directory)
  const messageID = `msg_${"0".repeat(26)}`
  const missing = third.runtime.session.fork(third.session.id, { messageID, worktree: true })
  await expect(missing).rejects.toMatchObject({ code: "message_not_found" })
  expect(existsSync(join(directory, dataDirectory, "worktrees"))).toBe(false)
  expect(await third.runtime.as(localCaller).session.list({})).toMatchObject({ items: [{ children: 0 }] })
})
