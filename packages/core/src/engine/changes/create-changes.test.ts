import { execFileSync } from "node:child_process"
import { mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { answer, lastUserText, type Script, scriptedRuntime } from "../../test/scripted-runtime.ts"

type Calls = { tool: string; input: unknown }[]

const writes = (filePath: string, content: string) => ({ tool: "write", input: { filePath, content } })
const bash = (command: string) => ({ tool: "bash", input: { command } })
const task = (prompt: string) => ({
  tool: "task",
  input: { description: prompt, prompt, subagent_type: "general" },
})

/** Answers each prompt with its lists of calls, one step per list, then "Done." */
async function setUp(plan: Record<string, Calls[]>, options: { git?: boolean; agent?: object } = {}) {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-changes-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  if (options.git !== false) execFileSync("git", ["init", "-q"], { cwd: directory })
  const script: Script = (call) => {
    const start = call.prompt.findLastIndex((message) => message.role === "user")
    const done = call.prompt.slice(start).filter((message) => message.role === "assistant").length
    const calls = plan[lastUserText(call).split("\n")[0] ?? ""]?.[done]
    return calls === undefined ? answer("Done.") : answer("", ...calls)
  }
  const config = { permission: "allow", delegation: { envelope: false }, agent: options.agent ?? {} }
  const run = await scriptedRuntime(script, { directory, config, titles: false, env: { PATH: process.env.PATH ?? "" } })
  const list = () => run.runtime.changes.list(run.session.id)
  const diff = async (path: string) => {
    const steps = (await list()).changes.filter((change) => change.path === path)
    return run.runtime.changes.diff(run.session.id, path, steps)
  }
  return { ...run, directory, list, diff, put: (name: string, text: string) => writeFile(join(directory, name), text) }
}

test("files changed by commands are listed with line counts, like written files", async () => {
  const run = await setUp({
    work: [[writes("a.txt", "1\n2\n")], [bash("echo 3 >> a.txt; rm old.txt; printf 'x\\0y' > b.bin; echo n > n.txt")]],
  })
  await using _ = run
  await run.put("old.txt", "old\n")
  await run.prompt("work")
  const { changes, unseen, truncated } = await run.list()
  expect(changes.map(({ path, kind, lines, lack }) => [path, kind, lines?.added, lines?.removed, lack])).toEqual([
    ["a.txt", "added", 2, 0, null],
    ["a.txt", "changed", 1, 0, null],
    ["b.bin", "added", undefined, undefined, "binary"],
    ["n.txt", "added", 1, 0, null],
    ["old.txt", "deleted", 0, 1, null],
  ])
  expect({ unseen, truncated }).toEqual({ unseen: null, truncated: false })
  const parts = (await run.messages()).items.flatMap((item) => item.parts)
  expect(changes.map(({ partID }) => parts.find(({ id }) => id === partID))).toMatchObject(
    ["write", "bash", "bash", "bash", "bash"].map((tool) => ({ type: "tool", tool })),
  )
})

test.each([true, false])("a write of the same text is no change (git: %s)", async (git) => {
  const run = await setUp({ work: [[writes("a.txt", "1\n")], [writes("a.txt", "1\n")]] }, { git })
  await using _ = run
  await run.prompt("work")
  expect((await run.list()).changes).toMatchObject([{ path: "a.txt", kind: "added" }])
})

test("consecutive steps of a file form one diff, split by foreign changes", async () => {
  const run = await setUp({
    one: [[writes("a.txt", "1\n")], [bash("echo 2 >> a.txt")]],
    two: [[bash("echo 4 >> a.txt")]],
  })
  await using _ = run
  await run.prompt("one")
  expect(await run.diff("a.txt")).toMatchObject([{ patch: expect.stringContaining("+1\n+2\n"), lack: null }])
  await run.put("a.txt", "1\n2\n3\n")
  await run.prompt("two")
  const pieces = await run.diff("a.txt")
  expect(pieces).toHaveLength(2)
  expect(pieces[1]?.patch).toContain(" 3\n+4\n")
  expect(pieces[1]?.patch).not.toContain("+3\n")
})

test("a change names its task and the prompt it came from", async () => {
  const run = await setUp({
    "first prompt": [[writes("a.txt", "1\n")]],
    "second prompt": [[task("do the rest")]],
    "do the rest": [[bash("echo 1 > b.txt")]],
  })
  await using _ = run
  await run.prompt("first prompt")
  await run.prompt("second prompt")
  const { changes, prompts } = await run.list()
  const [root, child] = changes
  expect(prompts.map(({ text }) => text)).toEqual(["first prompt", "second prompt"])
  expect(root).toMatchObject({ path: "a.txt", promptID: prompts[0]?.id, taskID: null, sessionID: run.session.id })
  const [ran] = await run.runtime.task.list(run.session.id)
  expect(child).toMatchObject({ path: "b.txt", promptID: prompts[1]?.id, taskID: ran?.id, sessionID: ran?.sessionID })
})

test("the list of changes leaves out undone ones", async () => {
  const run = await setUp({
    one: [[writes("a.txt", "1\n")]],
    two: [[bash("echo 1 > b.txt"), task("more")]],
    more: [[writes("c.txt", "1\n")]],
  })
  await using _ = run
  await run.prompt("one")
  await run.prompt("two")
  expect((await run.list()).changes.map(({ path }) => path).sort()).toEqual(["a.txt", "b.txt", "c.txt"])
  const { prompts } = await run.list()
  await run.runtime.session.revert(run.session.id, prompts[1]?.id ?? "")
  expect((await run.list()).changes.map(({ path }) => path)).toEqual(["a.txt"])
})

test("without git only named files have changes; command changes are unknown", async () => {
  const run = await setUp({ work: [[writes("a.txt", "1\n"), bash("echo 1 > b.txt")]] }, { git: false })
  await using _ = run
  await run.prompt("work")
  const { changes, unseen } = await run.list()
  expect(unseen).toBe("no_git")
  expect(changes).toMatchObject([{ path: "a.txt", kind: "added", lines: { added: 1, removed: 0 }, lack: null }])
  expect(await run.diff("a.txt")).toMatchObject([{ patch: expect.stringContaining("+1"), lack: null }])
})

test("an oversized file is listed without lines; git-ignored files are not listed", async () => {
  const run = await setUp({
    work: [[bash("head -c 3000000 /dev/zero | tr '\\0' 'x' > large.txt; mkdir -p skip; echo 1 > skip/a.txt")]],
  })
  await using _ = run
  await run.put(".gitignore", "skip\n")
  await run.prompt("work")
  expect((await run.list()).changes).toMatchObject([{ path: "large.txt", lines: null, lack: "too_large" }])
  expect(await run.diff("large.txt")).toMatchObject([{ patch: null, lack: "too_large" }])
})

test("lost snapshots leave only file names of commands, but diffs of calls", async () => {
  const run = await setUp({ work: [[writes("a.txt", "1\n")], [bash("echo 1 > b.txt")]] })
  await using _ = run
  await run.prompt("work")
  const stored = join(run.directory, ".data", "snapshots")
  for (const name of await readdir(stored, { recursive: true })) {
    if (/objects.[0-9a-f]{2}$/.test(name)) await rm(join(stored, name), { recursive: true })
  }
  const { changes } = await run.list()
  expect(changes).toMatchObject([
    { path: "a.txt", lack: null },
    { path: "b.txt", lines: null, lack: "expired" },
  ])
  expect(await run.diff("b.txt")).toMatchObject([{ patch: null, lack: "expired" }])
})

test("a summary counts lines and files in all and by prompt", async () => {
  const run = await setUp({
    one: [[writes("a.txt", "1\n2\n"), writes("b.txt", "x\n")]],
    two: [[bash("echo 3 >> a.txt; rm b.txt; rm old.txt")], [task("more")]],
    more: [[writes("c.txt", "1\n")]],
  })
  await using _ = run
  await run.put("old.txt", "old\n")
  await run.prompt("one")
  await run.prompt("two")
  const { prompts, ...total } = await run.runtime.changes.summary(run.session.id)
  expect(total).toMatchObject({ additions: 5, deletions: 2, files: 4, unseen: null, truncated: false })
  expect(total.diffs.map(({ path, kind, additions, deletions }) => [path, kind, additions, deletions])).toEqual([
    ["a.txt", "added", 3, 0],
    ["b.txt", "deleted", 1, 1],
    ["c.txt", "added", 1, 0],
    ["old.txt", "deleted", 0, 1],
  ])
  expect(prompts.map(({ text, additions, deletions, files }) => [text, additions, deletions, files])).toEqual([
    ["one", 3, 0, 2],
    ["two", 2, 2, 4],
  ])
})

test("a file's content before and after its steps is read back", async () => {
  const run = await setUp({ one: [[bash("echo 2 >> a.txt")], [bash("echo 3 >> a.txt; echo n > n.txt")]] })
  await using _ = run
  await run.put("a.txt", "1\n")
  await run.prompt("one")
  const content = async (path: string) => {
    const steps = (await run.list()).changes.filter((change) => change.path === path)
    return run.runtime.changes.content(run.session.id, path, steps)
  }
  expect(await content("a.txt")).toMatchObject([{ before: "1\n", after: "1\n2\n3\n", lack: null }])
  expect(await content("n.txt")).toMatchObject([{ before: null, after: "n\n", lack: null }])
})

test("readers are told of changed files by call and by command", async () => {
  const run = await setUp({ work: [[writes("a.txt", "1\n")], [bash("echo 1 > b.txt")]] })
  await using _ = run
  const end = new AbortController()
  const told = new Set<string>()
  const reading = (async () => {
    for await (const event of run.runtime.feed({ rootID: run.session.id, others: false }, end.signal)) {
      if (event.type !== "session.diff") continue
      for (const file of event.properties.files) told.add(file)
      if (told.has("b.txt")) return
    }
  })()
  await run.prompt("work")
  await reading
  end.abort()
  expect([...told].sort()).toEqual(["a.txt", "b.txt"])
})

test("a diff refuses steps of another tree", async () => {
  const run = await setUp({ work: [[writes("a.txt", "secret\n")]] })
  await using _ = run
  await run.prompt("work")
  const [step] = (await run.list()).changes
  const other = await run.runtime.session.create({ projectID: run.session.projectID })
  const asked = run.runtime.changes.diff(other.id, "a.txt", step === undefined ? [] : [step])
  await expect(asked).rejects.toMatchObject({ code: "message_not_found" })
  await expect(run.runtime.changes.list("ses_none")).rejects.toMatchObject({ code: "session_not_found" })
})

test("listing changes again reads only new messages and forgets undone changes", async () => {
  const names = Array.from({ length: 30 }, (_, index) => `file-${index}.txt`)
  const run = await setUp({
    one: names.map((name) => [writes(name, "1\n")]),
    two: [[bash("echo 1 > b.txt")]],
    three: [[writes("c.txt", "1\n")]],
  })
  await using _ = run
  await run.prompt("one")
  let messages = 0
  const { page } = run.store.transcript
  run.store.transcript.page = async (query) => {
    const answer = await page(query)
    messages += answer.items.length
    return answer
  }
  const paths = async () => {
    messages = 0
    return (await run.list()).changes.map(({ path }) => path)
  }
  expect(await paths()).toEqual(names)
  const first = messages
  await run.prompt("two")
  expect(await paths()).toEqual([...names, "b.txt"])
  // The second look reads a few new messages, and again the newest old ones, whose snapshots may have been missing.
  expect({ first: first > 30, second: messages < 26 }).toEqual({ first: true, second: true })

  const [begin] = (await run.list()).prompts
  await run.runtime.session.revert(run.session.id, begin?.id ?? "")
  expect(await paths()).toEqual([])
  await run.prompt("three")
  expect(await paths()).toEqual(["c.txt"])
})

test("a task records how much it changed, in project or worktree", async () => {
  const isolated = { tool: "task", input: { ...task("work apart").input, subagent_type: "apart" } }
  const plan = {
    start: [[task("write two"), task("only look"), isolated]],
    "write two": [[writes("a.txt", "1\n2\n"), bash("echo 3 >> b.txt")], [bash("echo 4 > a.txt")]],
    "only look": [[bash("ls")]],
    "work apart": [[writes("c.txt", "1\n")]],
  }
  const agent = { apart: { mode: "subagent", description: "works apart", isolation: "worktree" } }
  const run = await setUp(plan, { agent })
  await using _ = run
  await run.put(".gitignore", ".home\n.data\n")
  const git = (...args: string[]) => execFileSync("git", args, { cwd: run.directory })
  git("add", ".")
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "begin")
  await run.prompt("start")
  const tasks = await run.runtime.task.list(run.session.id)
  const sizes = new Map(tasks.map(({ description, size }) => [description, size]))
  expect(sizes.get("write two")).toEqual({ files: 2, added: 4, removed: 2 })
  expect(sizes.get("only look")).toEqual({ files: 0, added: 0, removed: 0 })
  expect(sizes.get("work apart")).toEqual({ files: 1, added: 1, removed: 0 })
})
