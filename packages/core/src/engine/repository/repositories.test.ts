import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import type { Sandbox } from "../../acts/sandbox/sandbox.ts"
import { sandboxLack } from "../../acts/tool/test/sandbox-fixture.ts"
import type { Session } from "../../ground/schema/index.ts"
import { createInMemoryStore, type Store } from "../../ground/store/index.ts"
import { createCredentials } from "../../setup/repository/credentials.ts"
import { createMirrors } from "../../setup/repository/mirrors.ts"
import { allowTestServer, type GitServer, gitServer } from "../../test/git-server.ts"
import { memoryVault } from "../../test/memory-vault.ts"
import { projectFixture } from "../../test/project-fixture.ts"
import {
  answer,
  lastUserText,
  type Script,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
} from "../../test/scripted-runtime.ts"
import { severalNodes } from "../../test/several-nodes.ts"
import { sweepRepositories } from "./sweep-repositories.ts"

const lack = await sandboxLack()
if (lack !== null) console.warn(`Sessions of repositories in the sandbox are not tried: ${lack}`)

/** Writes a file, then answers. */
const writing =
  (name: string, content: string): Script =>
  (options) =>
    toolResults(options).length > 0
      ? answer("Done.")
      : answer("", { tool: "write", input: { filePath: name, content } })

interface Worked extends ScriptedRuntime {
  work(text: string): Promise<Session>
  row(): Promise<Session>
  /** Resolves when the row of the session says so. */
  untilRow(match: (session: Session) => boolean): Promise<Session>
  rootID: string
}

interface Given {
  /** What signs in to the server. */
  token?: string
  /** The directory, for a sandbox that was made for it. */
  directory?: string
  sandbox?: Sandbox
  store?: Store
  clock?: () => number
}

async function withRepository(server: GitServer, script: Script, given: Given = {}): Promise<Worked> {
  const { token, directory, sandbox, store, clock } = given
  const made = await scriptedRuntime(script, {
    config: { permission: "allow", ...allowTestServer },
    env: { PATH: process.env.PATH ?? "" },
    titles: false,
    ...(directory && { directory }),
    ...(sandbox && { sandbox }),
    ...(store && { store }),
    ...(clock && { clock }),
  })
  onTestFinished(() => made[Symbol.asyncDispose]())
  const credential = { name: "shop", origin: server.origin, username: "docket" }
  if (token !== undefined) await made.runtime.credential.save({ ...credential, token })
  const named = { url: server.url, ...(token !== undefined && { credential: "shop" }) }
  const project = await made.runtime.project.add(named, new AbortController().signal)
  const session = await made.runtime.session.create({ projectID: project.id })
  const heard: Session[] = []
  const wakers = new Set<() => void>()
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  void (async () => {
    for await (const item of made.runtime.feed({ rootID: session.id, since: 0, others: false }, stop.signal)) {
      if (item.type !== "session.updated") continue
      heard.push(item.properties.info)
      for (const wake of wakers) wake()
    }
  })()
  const row = () => made.runtime.session.get(session.id)
  return {
    ...made,
    rootID: session.id,
    row,
    async work(text) {
      const turn = await made.runtime.prompt.submit(session.id, { parts: [{ type: "text", text }] })
      const ended = await made.runtime.prompt.wait(turn.id)
      expect(ended).toMatchObject({ status: "completed", error: null })
      return row()
    },
    async untilRow(match) {
      while (true) {
        const found = heard.findLast(match)
        if (found !== undefined) return found
        await new Promise<void>((resolve) => wakers.add(resolve))
      }
    },
  }
}

const isPushed = ({ repository }: Session) => repository?.pushed != null

test("a session works in files of its own and pushes its branch", async () => {
  const server = await gitServer({ "a.txt": "one\n", ".gitignore": "*.log\n" })
  const { work, untilRow, rootID, errors, row } = await withRepository(server, writing("b.txt", "two\n"))
  const session = await work("Write b")
  expect(await readFile(join(session.directory, "a.txt"), "utf8")).toBe("one\n")
  expect(session.repository).toMatchObject({ host: "", branch: `docket/${rootID}` })
  const pushed = await untilRow(isPushed)
  expect(server.git("show", `refs/heads/docket/${rootID}:b.txt`)).toBe("two")
  expect(server.git("rev-parse", `refs/heads/docket/${rootID}`)).toBe(pushed.repository?.pushed)
  expect(server.git("show", `refs/docket/${rootID}:b.txt`)).toBe("two")
  expect((await row()).repository?.problem).toBeNull()
  expect(errors).toEqual([])
})

test("another host goes on with the files of a killed one", async () => {
  const server = await gitServer({ "a.txt": "one\n" })
  const first: Script = (options) =>
    toolResults(options).length === 0
      ? answer("", { tool: "write", input: { filePath: "b.txt", content: "two\n" } })
      : answer("", { tool: "bash", input: { command: "sleep 600", description: "waits" } })
  const second: Script = (options) =>
    toolResults(options).length < 3
      ? answer("", { tool: "bash", input: { command: "cat a.txt b.txt; git status --short", description: "reads" } })
      : answer(toolResults(options).at(-1) ?? "")
  const store = createInMemoryStore()
  const nodes = await severalNodes([store, store, store], [first, second], {
    config: { permission: "allow", ...allowTestServer },
    apart: true,
  })
  onTestFinished(() => nodes[Symbol.asyncDispose]())
  const { web, workers } = nodes
  const project = await web.runtime.project.add({ url: server.url }, new AbortController().signal)
  expect(project).toMatchObject({ place: "any", directory: `${server.url}#main`, name: "shop" })
  const session = await web.runtime.session.create({ projectID: project.id })
  const running = Promise.withResolvers<void>()
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  void (async () => {
    for await (const item of web.runtime.feed({ rootID: session.id, since: 0, others: false }, stop.signal)) {
      const part = item.type === "message.part.updated" ? item.properties.part : null
      if (part?.type === "tool" && part.tool === "bash" && part.state.status === "running") running.resolve()
    }
  })()
  const turn = await web.runtime.prompt.submit(session.id, { parts: [{ type: "text", text: "Work" }] })
  await running.promise
  await server.until(() => server.has(`refs/docket/${session.id}`))
  const before = await web.runtime.session.get(session.id)
  workers[0]?.kill()
  expect(await web.runtime.prompt.wait(turn.id)).toMatchObject({ status: "completed", attempt: 2, error: null })
  const after = await web.runtime.session.get(session.id)
  expect(after.repository?.host).not.toBe(before.repository?.host)
  expect(after.directory).not.toBe(before.directory)
  const { items } = await web.runtime.session.messages({ sessionID: session.id })
  expect(items.flatMap(({ parts }) => parts).findLast((part) => part.type === "text")).toMatchObject({
    text: expect.stringContaining("one\ntwo\n?? b.txt"),
  })
  expect([web, workers[1]].flatMap((node) => node?.errors)).toEqual([])
})

/** Calls of tools by the text of the prompt, each prompt with one call. */
const acting =
  (calls: Record<string, { tool: string; input: unknown }>): Script =>
  (options) => {
    const call = calls[lastUserText(options)]
    return call === undefined || toolResults(options).length > 0
      ? answer(toolResults(options).join() || "Done.")
      : answer("", call)
  }
const write = (filePath: string, content: string) => ({ tool: "write", input: { filePath, content } })
const bash = (command: string) => ({ tool: "bash", input: { command, description: "runs" } })
const hasProblem = ({ repository }: Session) => repository?.problem != null

test("what cannot be pushed is kept, said, and pushed later", async () => {
  const server = await gitServer()
  const script = acting({ one: write("b.txt", "two\n"), two: write("b.txt", "three\n") })
  const { work, untilRow, rootID } = await withRepository(server, script)
  await work("nothing")
  server.isDown = true
  const session = await work("one")
  const { repository } = await untilRow(hasProblem)
  expect(repository?.problem).toMatch(/^Not pushed: 127\.0\.0\.1:\d+ cannot be reached .*kept on this host/)
  expect(await readFile(join(session.directory, "b.txt"), "utf8")).toBe("two\n")
  server.isDown = false
  await work("two")
  await untilRow((row) => isPushed(row) && !hasProblem(row))
  await server.until(() => server.git("show", `refs/heads/docket/${rootID}:b.txt`) === "three")
  expect(server.git("show", `refs/docket/${rootID}:b.txt`)).toBe("three")
})

test("a branch that the server refuses is a sentence with its reason", async () => {
  const server = await gitServer()
  await server.hook("update", 'case "$1" in refs/heads/*) echo "no new branches here" >&2; exit 1;; esac')
  const { work, untilRow, rootID } = await withRepository(server, writing("b.txt", "two\n"))
  await work("Write")
  const { repository } = await untilRow(hasProblem)
  expect(repository?.problem).toMatch(
    /^The server refused the branch docket\/ses_\w+ \(no new branches here: hook declined\)\./,
  )
  expect(server.has(`refs/docket/${rootID}`)).toBe(true)
})

test("commits of others on the branch are never overwritten", async () => {
  const server = await gitServer()
  const script = acting({
    one: write("b.txt", "two\n"),
    two: write("c.txt", "three\n"),
    merge: bash(
      "git -c user.name=A -c user.email=a@b merge -q --no-edit refs/remotes/origin/$(git branch --show-current)",
    ),
  })
  const { work, untilRow, rootID, row } = await withRepository(server, script)
  await work("one")
  await untilRow(isPushed)
  const branch = `docket/${rootID}`
  const theirs = await server.commit({ "theirs.txt": "mine\n" }, { branch })
  await work("two")
  const { repository } = await untilRow(hasProblem)
  expect(repository?.problem).toContain(`Somebody else has pushed to the branch ${branch}`)
  expect(server.git("rev-parse", `refs/heads/${branch}`)).toBe(theirs)
  await work("merge")
  await untilRow((changed) => !hasProblem(changed) && changed.repository?.pushed !== repository?.pushed)
  expect(server.git("log", "--format=%H", `refs/heads/${branch}`)).toContain(theirs)
  expect((await row()).repository?.problem).toBeNull()
})

test("a base that others rewrote is said, and the work is pushed", async () => {
  const server = await gitServer()
  const script = acting({ one: write("b.txt", "two\n") })
  const { work, untilRow, rootID } = await withRepository(server, script)
  await work("nothing")
  await server.commit({ "a.txt": "rewritten\n" }, { amend: true })
  await work("one")
  const { repository } = await untilRow(hasProblem)
  expect(repository?.problem).toMatch(/^The branch main was rewritten at the server.*rebase onto origin\/main/)
  expect(server.git("show", `refs/heads/docket/${rootID}:b.txt`)).toBe("two")
})

test("files that are not ignored come back, whatever is committed", async () => {
  const server = await gitServer({ "a.txt": "one\n", "gone.txt": "x\n", ".gitignore": "*.log\n" })
  const changes = "echo changed > a.txt; rm gone.txt; echo new > new.txt; echo l > some.log; git add a.txt"
  const script = acting({
    change: bash(`${changes}; git -c user.name=A -c user.email=a@b commit -qm mine; echo later >> a.txt`),
  })
  const { work, untilRow, runtime, rootID } = await withRepository(server, script)
  const { directory } = await work("change")
  await untilRow(isPushed)
  await rm(directory, { recursive: true })
  await work("nothing")
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("changed\nlater\n")
  expect((await readdir(directory)).toSorted()).toEqual([".git", ".gitignore", "a.txt", "new.txt"])
  const log = execFileSync("git", ["log", "--format=%s"], { cwd: directory }).toString()
  expect(log).toContain("mine")
  await runtime.session.remove(rootID)
  expect(existsSync(directory)).toBe(false)
  expect(server.has(`refs/docket/${rootID}`)).toBe(false)
})

describe.skipIf(lack !== null)("in the sandbox", () => {
  test("git works, and no token is within reach", async () => {
    const token = "ghs_secretOfTheTest"
    const { server } = await withSubmodule()
    server.tokens = new Set([token])
    const { sandbox, directory } = await projectFixture("repository", {})
    // The token is put together where no argument shows it.
    const whole = "printf 'ghs_secret%s' OfTheTest"
    const everything = `(env; cat /proc/*/environ /proc/*/cmdline; cat -- $(find . "$HOME" /tmp "$objects/.." -type f)) 2>/dev/null`
    const count = `${everything} | grep -caF -f <(${whole})`
    const look = [
      "git log --oneline | wc -l; git status --short",
      "objects=$(cat .git/objects/info/alternates)",
      count,
      `${whole} > planted; ${count}; rm planted`,
      'touch "$objects/x" 2>/dev/null || echo read only',
      "git -C ui log --oneline | wc -l; git -C ui status --short; cat ui/button.ts",
    ].join("\n")
    const script = acting({ look: bash(look), one: write("b.txt", "two\n") })
    const { work, untilRow, runtime, rootID } = await withRepository(server, script, { token, sandbox, directory })
    await work("one")
    await untilRow(isPushed)
    await work("look")
    const { items } = await runtime.session.messages({ sessionID: rootID })
    const texts = items.flatMap(({ parts }) => parts).filter((part) => part.type === "text")
    const text = texts.at(-1)?.text ?? ""
    expect(text).toMatch(/^3\n0\n[1-9]\d*\nread only\n1\none\n/)
    expect(JSON.stringify(items)).not.toContain(token)
  })
})

test("a token that expires in a turn is said, and replaced", async () => {
  const server = await gitServer()
  server.tokens = new Set(["first"])
  const script = acting({ one: write("b.txt", "two\n"), two: write("b.txt", "three\n") })
  const { work, untilRow, rootID, runtime, errors } = await withRepository(server, script, { token: "first" })
  await work("nothing")
  server.tokens = new Set(["second"])
  const session = await work("one")
  const { repository } = await untilRow(hasProblem)
  expect(repository?.problem).toMatch(
    /^Not pushed: 127\.0\.0\.1:\d+ did not accept the sign-in .* Sign in again: docket credential save shop/,
  )
  expect(JSON.stringify(await runtime.session.messages({ sessionID: rootID }))).not.toMatch(/first|second/)
  expect(await readFile(join(session.directory, "b.txt"), "utf8")).toBe("two\n")
  await runtime.credential.save({ name: "shop", origin: server.origin, username: "docket", token: "second" })
  await work("two")
  await untilRow((row) => isPushed(row) && !hasProblem(row))
  await server.until(() => server.git("show", `refs/docket/${rootID}:b.txt`) === "three")
  expect(errors).toEqual([])
})

test("a forced push to the session's branch while it works stays", async () => {
  const server = await gitServer()
  const script = acting({ one: write("b.txt", "two\n"), two: write("b.txt", "three\n") })
  const { work, untilRow, rootID } = await withRepository(server, script)
  await work("one")
  await untilRow(isPushed)
  const branch = `docket/${rootID}`
  const theirs = await server.commit({ "b.txt": "theirs\n" }, { branch, amend: true })
  await work("two")
  const { repository } = await untilRow(hasProblem)
  expect(repository?.problem).toContain(`Somebody else has pushed to the branch ${branch}`)
  expect(server.git("rev-parse", `refs/heads/${branch}`)).toBe(theirs)
  await server.until(() => server.git("show", `refs/docket/${rootID}:b.txt`) === "three")
})

/** A server whose repository has another one of it as the submodule `ui`, and the commits of that. */
async function withSubmodule() {
  const server = await gitServer()
  const ui = await server.add("ui", { "button.ts": "one\n" })
  const first = ui.git("rev-parse", "main")
  const second = await ui.commit({ "button.ts": "two\n" })
  const text = '[submodule "ui"]\n\tpath = ui\n\turl = ../ui.git\n'
  await server.commit({ ".gitmodules": text }, { links: { ui: first } })
  return { server, ui, first, second }
}

test("a submodule is there, and what is changed in it is said", async () => {
  const { server, ui, first, second } = await withSubmodule()
  const commit = "git -c user.name=A -c user.email=a@b commit -qam mine"
  const script = acting({
    look: bash("cat ui/button.ts; git status --short; git -C ui log --format=%s; git submodule status"),
    change: bash(`echo changed > ui/button.ts; (cd ui; ${commit}); echo two > b.txt`),
    move: bash(`cd ui; git reset -q --hard ${second}`),
  })
  const { work, untilRow, rootID, runtime, row, errors } = await withRepository(server, script)
  await work("look")
  const { items } = await runtime.session.messages({ sessionID: rootID })
  const text = items.flatMap(({ parts }) => parts).find((part) => part.type === "text" && part.text.includes("one"))
  expect(text).toMatchObject({ text: expect.stringMatching(/^one\nbutton\.ts\n.?[0-9a-f]{40} ui/) })
  await work("change")
  const { repository } = await untilRow(hasProblem)
  expect(repository?.problem).toBe(
    `What was changed in the submodule ui is only on this host: no branch has it, and another host does not get it. Let a session of ${ui.url} change that.`,
  )
  await server.until(() => server.has(`refs/heads/docket/${rootID}`))
  const branch = `refs/heads/docket/${rootID}`
  expect(server.git("ls-tree", branch, "ui")).toContain(first)
  expect(server.git("show", `${branch}:b.txt`)).toBe("two")
  expect(server.git("ls-tree", `refs/docket/${rootID}`, "ui")).toContain(first)
  await work("move")
  await server.until(() => server.git("ls-tree", branch, "ui").includes(second))
  await rm((await row()).directory, { recursive: true })
  const { directory } = await work("nothing")
  expect(await readFile(join(directory, "ui/button.ts"), "utf8")).toBe("two\n")
  expect(errors).toEqual([])
})

test("a submodule that cannot be had is said, and the session works", async () => {
  const { server, first } = await withSubmodule()
  await server.commit(
    { ".gitmodules": '[submodule "ui"]\n\tpath = ui\n\turl = ../gone.git\n' },
    { links: { ui: first } },
  )
  const { work, untilRow, rootID } = await withRepository(server, acting({ one: write("b.txt", "two\n") }))
  await work("one")
  const { repository } = await untilRow(isPushed)
  const gone = `${server.origin}/gone.git`
  expect(repository?.problem).toBe(
    `The submodule ui is empty. There is no repository ${gone}, or this sign-in does not see it.`,
  )
  expect(server.git("show", `refs/heads/docket/${rootID}:b.txt`)).toBe("two")
  expect(server.git("ls-tree", `refs/heads/docket/${rootID}`, "ui")).toContain(first)
})

test("a fork has the files of submodules", async () => {
  const { server, ui } = await withSubmodule()
  const { work, rootID, runtime, errors } = await withRepository(server, acting({ one: write("b.txt", "two\n") }))
  await work("one")
  const fork = await runtime.session.fork(rootID, { worktree: true })
  expect(fork.repository).toMatchObject({ submodules: [{ path: "ui", url: ui.url, problem: null }] })
  expect(await readFile(join(fork.directory, "ui/button.ts"), "utf8")).toBe("one\n")
  expect(await readFile(join(fork.directory, "b.txt"), "utf8")).toBe("two\n")
  expect(errors).toEqual([])
})

test("a fork with its files goes on from them, apart", async () => {
  const server = await gitServer()
  const commit = "echo later >> b.txt; git -c user.name=A -c user.email=a@b commit -aqm mine; echo last >> b.txt"
  const script = acting({ one: write("b.txt", "two\n"), commit: bash(commit), own: write("c.txt", "three\n") })
  const { work, untilRow, rootID, runtime } = await withRepository(server, script)
  await work("one")
  const { directory } = await work("commit")
  await untilRow(isPushed)
  const fork = await runtime.session.fork(rootID, { worktree: true })
  expect(fork.repository).toMatchObject({ branch: `docket/${fork.id}`, pushed: null })
  expect(await readFile(join(fork.directory, "b.txt"), "utf8")).toBe("two\nlater\nlast\n")
  const turn = await runtime.prompt.submit(fork.id, { parts: [{ type: "text", text: "own" }] })
  expect(await runtime.prompt.wait(turn.id)).toMatchObject({ status: "completed", error: null })
  await server.until(() => server.has(`refs/heads/docket/${fork.id}`))
  expect(server.git("show", `refs/heads/docket/${fork.id}:c.txt`)).toBe("three")
  expect(server.git("log", "--format=%s", `refs/heads/docket/${fork.id}`)).toContain("mine")
  expect(existsSync(join(directory, "c.txt"))).toBe(false)
  const plain = await runtime.session.fork(rootID, {})
  expect(plain).toMatchObject({ directory: `${server.url}#main` })
})

test("what a dead process could not push is pushed by the next", async () => {
  const server = await gitServer()
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-resumed-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const store = createInMemoryStore()
  const first = await withRepository(server, acting({ one: write("b.txt", "two\n") }), { directory, store })
  await first.work("nothing")
  server.isDown = true
  const { directory: files } = await first.work("one")
  await first.untilRow(hasProblem)
  await first.runtime.close()
  server.isDown = false
  await withRepository(server, writing("c.txt", "three\n"), { directory, store })
  await server.until(() => server.git("ls-tree", "--name-only", `refs/docket/${first.rootID}`).includes("b.txt"))
  expect(server.git("show", `refs/docket/${first.rootID}:b.txt`)).toBe("two")
  expect(existsSync(files)).toBe(true)
})

test("a mirror that nobody used for 30 days is removed", async () => {
  const server = await gitServer()
  let now = Date.now()
  const { directory, work, runtime, rootID } = await withRepository(server, writing("b.txt", "two\n"), {
    clock: () => now,
  })
  await work("Write")
  const session = await runtime.session.get(rootID)
  const mirror = join(directory, ".data/repositories", session.projectID)
  const removed: string[] = []
  const checkouts = { remove: async (id: string) => void removed.push(id) }
  const root = join(directory, ".data/worktrees")
  const mirrors = createMirrors({
    ...{ root: join(directory, ".data/repositories"), env: {}, clock: () => now },
    ...{ credentials: createCredentials(memoryVault()), limits: async () => ({}) },
  })
  let isThere = true
  const sweep = () =>
    sweepRepositories({ mirrors, checkouts, root, clock: () => now, sessionOf: async () => (isThere ? session : null) })
  now += 31 * 24 * 3_600_000
  await sweep()
  expect(existsSync(mirror)).toBe(true)
  isThere = false
  await sweep()
  expect({ mirror: existsSync(mirror), files: existsSync(session.directory), removed }).toEqual({
    ...{ mirror: false, files: false },
    removed: [session.projectID],
  })
})

test("what a subagent writes is part of its root's state and branch", async () => {
  const server = await gitServer()
  const script: Script = (options) => {
    if (lastUserText(options) === "dig")
      return toolResults(options).length > 0 ? answer("Dug.") : answer("", write("dug.txt", "deep\n"))
    const task = { description: "dig", prompt: "dig", subagent_type: "general" }
    return toolResults(options).length > 0 ? answer("Done.") : answer("", { tool: "task", input: task })
  }
  const { work, untilRow, rootID, errors, runtime } = await withRepository(server, script)
  await work("Delegate")
  await untilRow(isPushed)
  expect(server.git("show", `refs/docket/${rootID}:dug.txt`)).toBe("deep")
  expect(server.git("show", `refs/heads/docket/${rootID}:dug.txt`)).toBe("deep")
  const [child] = await runtime.session.children(rootID)
  expect(server.has(`refs/docket/${child?.id}`)).toBe(false)
  expect(errors).toEqual([])
})
