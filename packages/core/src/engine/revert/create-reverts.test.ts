import { execFileSync } from "node:child_process"
import { lstat, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { treeUsage } from "../../ground/message/usage.ts"
import type { MessageWithParts } from "../../ground/schema/index.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { answer, lastUserText, type Script, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

type Calls = { tool: string; input: unknown }[]
/** Answers by the first line of the prompt: one step per list of calls, then "Done." */
type Plan = Record<string, Calls[]>

/** A model that follows the plan. `seen` gets the user's texts in each request. */
function planned(plan: Plan, seen: string[][]): (...call: Parameters<Script>) => ReturnType<typeof answer> {
  return (options) => {
    seen.push(
      options.prompt.flatMap((message) =>
        message.role === "user"
          ? message.content.flatMap((part) => (part.type === "text" && !part.text.startsWith("<") ? [part.text] : []))
          : [],
      ),
    )
    const steps = plan[lastUserText({ ...options, prompt: options.prompt.filter(isSaid) }).split("\n")[0] ?? ""] ?? []
    const start = options.prompt.findLastIndex((message) => message.role === "user" && isSaid(message))
    const done = options.prompt.slice(start).filter((message) => message.role === "assistant").length
    const calls = steps[done]
    return calls === undefined ? answer("Done.") : answer("", ...calls)
  }
}

/** Whether a message is anything but a reminder that Docket adds. */
function isSaid(message: { role: string; content: unknown }): boolean {
  return message.role !== "user" || !JSON.stringify(message.content).includes("<system-reminder>")
}

interface SetUp {
  git?: boolean
  /** The model waits for this before it answers. */
  before?: (asked: string) => Promise<void> | undefined
}

async function setUp(plan: Plan, options: SetUp = {}) {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-undo-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  if (options.git !== false) execFileSync("git", ["init", "-q"], { cwd: directory })
  const store = createInMemoryStore()
  const seen: string[][] = []
  const config = { permission: "allow" }
  const script = planned(plan, seen)
  const delayedScript: Script = async (call) => {
    await options.before?.(lastUserText(call))
    return script(call)
  }
  const open = () => scriptedRuntime(delayedScript, { directory, store, config })
  const run = await open()
  const ids = async () => (await run.messages()).items.map((item) => item.info.id)
  const promptID = async (text: string) =>
    (await run.messages()).items.find((item) => textOf(item) === text)?.info.id ?? "none"
  const write = (name: string, text: string) => writeFile(join(directory, name), text)
  const read = (name: string) => readFile(join(directory, name), "utf8").catch(() => null)
  return { ...run, directory, store, seen, open, ids, promptID, write, read }
}

function textOf({ info, parts }: MessageWithParts): string | null {
  const text = info.role === "user" ? parts.find((part) => part.type === "text") : undefined
  return text?.type === "text" ? text.text : null
}

const writes = (filePath: string, content: string) => ({ tool: "write", input: { filePath, content } })
const bash = (command: string) => ({ tool: "bash", input: { command } })
const todos = (...items: [content: string, status: string][]) => ({
  tool: "todowrite",
  input: { todos: items.map(([content, status]) => ({ content, status, priority: "medium" })) },
})

describe("undo and redo", () => {
  test("from a part take back its step and all after it", async () => {
    const run = await setUp({
      one: [
        [writes("a.txt", "1\n"), todos(["first", "in_progress"])],
        [writes("a.txt", "2\n"), writes("b.txt", "2\n"), todos(["first", "completed"])],
        [bash("echo 3 > c.txt")],
      ],
    })
    await using _ = run
    await run.prompt("one")
    const { items } = await run.messages()
    const step = items[2]
    const part = step?.parts.findLast(({ type }) => type === "tool")
    const files = () => Promise.all(["a.txt", "b.txt", "c.txt"].map(run.read))
    const messageID = step?.info.id ?? ""
    const undone = await run.runtime.session.revert(run.session.id, messageID, part?.id)
    expect(undone.revert).toMatchObject({ messageID, partID: part?.id, messages: 3, files: { left: [], note: null } })
    expect(await files()).toEqual(["1\n", null, null])
    expect(await run.runtime.todo.list(run.session.id)).toMatchObject([{ content: "first", status: "in_progress" }])
    await run.runtime.session.unrevert(run.session.id)
    expect(await files()).toEqual(["2\n", "2\n", "3\n"])
    await run.runtime.session.revert(run.session.id, messageID, part?.id)
    await run.prompt("two")
    expect((await run.ids()).slice(0, 2)).toEqual(items.slice(0, 2).map(({ info }) => info.id))
    expect(await run.ids()).toHaveLength(4)
  })

  test("from a part of the first step start at its prompt", async () => {
    const run = await setUp({ one: [[writes("a.txt", "1\n")], [writes("a.txt", "2\n")]] })
    await using _ = run
    await run.prompt("one")
    const [prompt, step] = (await run.messages()).items
    const undo = (messageID = "", partID = "") => run.runtime.session.revert(run.session.id, messageID, partID)
    const { revert } = await undo(step?.info.id, step?.parts.at(-1)?.id)
    expect([revert?.messageID, revert?.partID]).toEqual([prompt?.info.id, undefined])
    expect(await run.read("a.txt")).toBe(null)
    await expect(undo(step?.info.id, prompt?.parts[0]?.id)).rejects.toMatchObject({ code: "message_not_found" })
    await expect(run.runtime.session.revert(run.session.id, step?.info.id ?? "")).rejects.toThrow("or a part too")
  })

  test("move conversation, files and todos together; the next prompt makes undo final", async () => {
    const run = await setUp({
      one: [[writes("a.txt", "1\n"), todos(["first", "in_progress"])]],
      two: [
        [writes("a.txt", "2\n"), todos(["first", "completed"], ["second", "in_progress"])],
        [bash("rm kept.txt; mkdir -p deep && echo hi > deep/b.txt; chmod +x tool.sh")],
      ],
      three: [[writes("c.txt", "3\n")]],
    })
    await using _ = run
    await run.write("kept.txt", "kept\n")
    await run.write("tool.sh", "#!/bin/sh\n")
    await run.prompt("one")
    const before = { list: await run.runtime.todo.list(run.session.id), ids: await run.ids() }
    const evidence = await run.runtime.todo.evidence(before.list[0]?.id ?? "")
    await run.prompt("two")
    await run.prompt("three")
    const after = { list: await run.runtime.todo.list(run.session.id), ids: await run.ids() }
    const undone = await run.runtime.session.revert(run.session.id, await run.promptID("two"))
    expect(undone.revert).toMatchObject({
      messages: after.ids.length - before.ids.length,
      files: { state: "undone", paths: ["a.txt", "c.txt", "deep/b.txt", "kept.txt", "tool.sh"], left: [], note: null },
    })
    expect(await Promise.all(["a.txt", "kept.txt", "deep/b.txt", "c.txt"].map(run.read))).toEqual([
      "1\n",
      "kept\n",
      null,
      null,
    ])
    expect((await lstat(join(run.directory, "tool.sh"))).mode & 0o111).toBe(0)
    expect(await run.runtime.todo.list(run.session.id)).toEqual(before.list)
    expect(await run.runtime.todo.evidence(before.list[0]?.id ?? "")).toEqual(evidence)
    const [lastChange] = await run.runtime.todo.history({ sessionID: run.session.id, limit: 1 })
    expect(lastChange).toMatchObject({ actor: { kind: "user" }, rewinds: await run.promptID("two") })

    const redone = await run.runtime.session.unrevert(run.session.id)
    expect(redone).toMatchObject({ session: { revert: null }, left: [] })
    expect(await Promise.all(["a.txt", "kept.txt", "deep/b.txt", "c.txt"].map(run.read))).toEqual([
      "2\n",
      null,
      "hi\n",
      "3\n",
    ])
    expect(await run.runtime.todo.list(run.session.id)).toEqual(after.list)
    expect(await run.ids()).toEqual(after.ids)

    await run.runtime.session.revert(run.session.id, await run.promptID("three"))
    await run.runtime.session.revert(run.session.id, await run.promptID("two"))
    await run.prompt("four")
    expect((await run.ids()).slice(0, before.ids.length)).toEqual(before.ids)
    expect(await run.ids()).toHaveLength(before.ids.length + 2)
    expect((await run.runtime.session.get(run.session.id)).revert).toBeNull()
    expect(run.seen.at(-1)).toEqual(["one", "four"])
    expect(await run.runtime.todo.list(run.session.id)).toEqual(before.list)
    await expect(run.runtime.session.unrevert(run.session.id)).rejects.toMatchObject({ code: "invalid_input" })
    expect(run.errors).toEqual([])
  })

  test("leave files that others changed, and report them", async () => {
    const run = await setUp({
      one: [[writes("a.txt", "1\n"), writes("b.txt", "1\n")], [bash("echo 1 > c.txt")]],
      two: [[{ tool: "read", input: { filePath: "b.txt" } }], [writes("b.txt", "2\n"), bash("true")]],
    })
    await using _ = run
    await run.prompt("one")
    await run.write("b.txt", "mine between\n")
    await run.write("own.txt", "mine\n")
    await run.prompt("two")
    await run.write("c.txt", "mine since\n")
    const { revert } = await run.runtime.session.revert(run.session.id, await run.promptID("one"))
    expect(revert?.files).toMatchObject({
      paths: ["a.txt"],
      left: [
        { path: "b.txt", reason: "changed" },
        { path: "c.txt", reason: "changed" },
      ],
    })
    expect(await Promise.all(["a.txt", "b.txt", "c.txt", "own.txt"].map(run.read))).toEqual([
      null,
      "2\n",
      "mine since\n",
      "mine\n",
    ])
    await run.write("a.txt", "mine after the undo\n")
    expect((await run.runtime.session.unrevert(run.session.id)).left).toEqual([{ path: "a.txt", reason: "changed" }])
    expect(await run.read("a.txt")).toBe("mine after the undo\n")
  })

  test("include the work of subagents, which the next prompt removes", async () => {
    const task = { tool: "task", input: { description: "d", prompt: "child work", subagent_type: "general" } }
    const run = await setUp({
      one: [[task]],
      "child work": [[writes("child.txt", "x\n")]],
    })
    await using _ = run
    await run.prompt("one")
    const [child] = await run.runtime.session.children(run.session.id)
    expect(await run.read("child.txt")).toBe("x\n")
    const childPrompt = (await run.messages(child?.id)).items[0]?.info.id ?? ""
    await expect(run.runtime.session.revert(child?.id ?? "", childPrompt)).rejects.toMatchObject({
      code: "invalid_input",
    })
    await run.runtime.session.revert(run.session.id, await run.promptID("one"))
    expect(await run.read("child.txt")).toBeNull()
    expect((await run.runtime.session.get(child?.id ?? "")).time.archived).not.toBeNull()
    await run.runtime.session.unrevert(run.session.id)
    expect(await run.read("child.txt")).toBe("x\n")
    expect((await run.runtime.session.get(child?.id ?? "")).time.archived).toBeNull()
    await run.runtime.session.revert(run.session.id, await run.promptID("one"))
    await run.prompt("other")
    expect(await run.runtime.session.children(run.session.id)).toEqual([])
    expect(await run.runtime.task.list(run.session.id)).toEqual([])
    expect(await run.read("child.txt")).toBeNull()
  })

  test("keep the tree's usage, including that of an undone subagent", async () => {
    const task = { tool: "task", input: { description: "d", prompt: "child work", subagent_type: "general" } }
    const run = await setUp({ one: [[task]], "child work": [[writes("child.txt", "x\n")]] })
    await using _ = run
    const used = async () => treeUsage(await run.store.session.tree(run.session.id)).whole.tokens.output
    await run.prompt("one")
    await run.until((event) => event.type === "session.updated" && event.properties.info.title === "A fine title")
    const before = await used()
    await run.runtime.session.revert(run.session.id, await run.promptID("one"))
    await run.prompt("other")
    expect(await run.runtime.session.children(run.session.id)).toEqual([])
    // The new prompt made one model call, with 5 output tokens.
    expect(await used()).toBe(before + 5)
  })

  test("delete an undone subagent's saved output once it is idle", async () => {
    const task = { tool: "task", input: { description: "d", prompt: "child work", subagent_type: "general" } }
    const gate = Promise.withResolvers<void>()
    const run = await setUp(
      { one: [[task]], "child work": [[bash("seq 1 5000")]] },
      { before: (asked) => (asked === "hold" ? gate.promise : undefined) },
    )
    await using _ = run
    await run.prompt("one")
    const [child] = await run.runtime.session.children(run.session.id)
    const saved = join(run.directory, ".data", "tool-output")
    expect(await readdir(saved)).toContain(child?.id)
    await run.runtime.session.revert(run.session.id, await run.promptID("one"))
    const busyTurn = await run.runtime.prompt.submit(child?.id ?? "", { parts: [{ type: "text", text: "hold" }] })
    await expect(run.prompt("two")).rejects.toMatchObject({ code: "session_busy" })
    gate.resolve()
    expect((await run.runtime.prompt.wait(busyTurn.id)).status).toBe("completed")
    await run.prompt("two")
    expect(await run.runtime.session.children(run.session.id)).toEqual([])
    expect(await readdir(saved)).not.toContain(child?.id)
    expect(run.errors).toEqual([])
  })

  test("undo a resumed subagent from where it was resumed", async () => {
    const task = (prompt: string, more: object = {}) => ({
      tool: "task",
      input: { description: "d", prompt, subagent_type: "general", ...more },
    })
    const plan: Plan = {
      one: [[task("first work")]],
      "first work": [[writes("first.txt", "1\n")]],
      "second work": [[writes("second.txt", "2\n"), writes("first.txt", "2\n")]],
    }
    const run = await setUp(plan)
    await using _ = run
    await run.prompt("one")
    const [child] = await run.runtime.session.children(run.session.id)
    const before = (await run.messages(child?.id)).items
    plan.two = [[task("second work", { task_id: child?.id })]]
    await run.prompt("two")
    expect(await run.read("first.txt")).toBe("2\n")
    const { revert } = await run.runtime.session.revert(run.session.id, await run.promptID("two"))
    expect(revert).toMatchObject({ children: [], files: { paths: ["first.txt", "second.txt"] } })
    expect([await run.read("first.txt"), await run.read("second.txt")]).toEqual(["1\n", null])
    await run.prompt("three")
    expect((await run.messages(child?.id)).items).toEqual(before)
  })

  test("delay the notice of a background task until the redo", async () => {
    const gate = Promise.withResolvers<void>()
    const launch = { tool: "async_task", input: { agent: "explore", prompt: "look", description: "look" } }
    const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-undo-")))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const script: Script = async (options) => {
      const asked = lastUserText(options)
      if (asked === "look") await gate.promise
      return asked === "one" && toolResults(options).length === 0 ? answer("", launch) : answer("Done.")
    }
    await using run = await scriptedRuntime(script, { directory, titles: false })
    await run.prompt("one")
    await run.prompt("two")
    const { items } = await run.messages()
    const messageID = items.findLast(({ info }) => info.role === "user")?.info.id ?? ""
    const files = { state: "undone" as const, before: null, after: null, count: 0, paths: [], left: [], note: null }
    // The mark is the id of a todo change.
    const mark = messageID.replace("msg", "tdc")
    const patch = { revert: { messageID, messages: 2, mark, at: 1, children: [], files } }
    await run.store.write.commit([
      { rootID: run.session.id, mutations: [{ kind: "session.patch", sessionID: run.session.id, patch }] },
    ])
    gate.resolve()
    await run.until((event) => event.type === "task.updated" && event.properties.task.state === "completed")
    expect((await run.runtime.session.get(run.session.id)).revert).toMatchObject({ messageID })
    expect((await run.messages()).items).toEqual(items)
    await run.runtime.session.unrevert(run.session.id)
    await run.until((event) => event.type === "task.updated" && event.properties.task.delivered === "turn")
    const after = (await run.messages()).items
    expect(after.slice(0, items.length).map(({ info }) => info.id)).toEqual(items.map(({ info }) => info.id))
  })

  test("report when the changes of a step are not fully known", async () => {
    const run = await setUp({ one: [[bash("rm -rf .git; echo x > a.txt")]] })
    await using _ = run
    await run.prompt("one")
    const { revert } = await run.runtime.session.revert(run.session.id, await run.promptID("one"))
    expect(revert?.files).toMatchObject({ paths: [], note: expect.stringContaining("no snapshot") })
    expect(await run.read("a.txt")).toBe("x\n")
  })

  test("name written files that lie outside of the project", async () => {
    const elsewhere = await realpath(await mkdtemp(join(tmpdir(), "docket-outside-")))
    onTestFinished(() => rm(elsewhere, { recursive: true, force: true }))
    const outside = join(elsewhere, "b.txt")
    const run = await setUp({
      one: [[writes("a.txt", "1\n"), writes(outside, "2\n")]],
      two: [[writes(outside, "3\n")]],
    })
    await using _ = run
    await run.prompt("one")
    const { revert } = await run.runtime.session.revert(run.session.id, await run.promptID("one"))
    expect(revert?.files).toMatchObject({ paths: ["a.txt"], left: [{ path: outside, reason: "outside" }] })
    expect(await readFile(outside, "utf8")).toBe("2\n")
    await run.runtime.session.unrevert(run.session.id)
    await run.prompt("two")
    const alone = await run.runtime.session.revert(run.session.id, await run.promptID("two"))
    expect(alone.revert?.files).toMatchObject({ paths: [], left: [{ path: outside, reason: "outside" }] })
  })

  test("work without git for conversation and list, and say that files stay", async () => {
    const run = await setUp({ one: [[writes("a.txt", "1\n"), todos(["first", "pending"])]] }, { git: false })
    await using _ = run
    await run.prompt("one")
    const { revert } = await run.runtime.session.revert(run.session.id, await run.promptID("one"))
    expect(revert?.files).toMatchObject({ state: "kept", note: expect.stringContaining("not a git repository") })
    expect(revert?.files.left).toEqual([{ path: "a.txt", reason: "no_git" }])
    expect(await run.read("a.txt")).toBe("1\n")
    expect(await run.runtime.todo.list(run.session.id)).toEqual([])
  })

  test("are refused for busy sessions, answers and unknown messages", async () => {
    const gate = Promise.withResolvers<void>()
    const run = await setUp({})
    await using _ = run
    await run.prompt("one")
    const [prompt = "", reply = ""] = await run.ids()
    await expect(run.runtime.session.revert(run.session.id, reply)).rejects.toMatchObject({ code: "invalid_input" })
    const unknown = `msg_${"0".repeat(26)}`
    await expect(run.runtime.session.revert(run.session.id, unknown)).rejects.toMatchObject({
      code: "message_not_found",
    })
    await using busy = await scriptedRuntime(async () => {
      await gate.promise
      return answer("late")
    })
    const turn = await busy.runtime.prompt.submit(busy.session.id, { parts: [{ type: "text", text: "hold" }] })
    await expect(busy.runtime.session.revert(busy.session.id, prompt)).rejects.toMatchObject({ code: "session_busy" })
    gate.resolve()
    await busy.runtime.prompt.wait(turn.id)
  })

  test("leave simultaneous writes of another session alone", async () => {
    const started = Promise.withResolvers<void>()
    const run = await setUp({
      slow: [[bash("touch started; while ! test -e other.txt; do sleep 0.02; done; echo x > own.txt")]],
      quick: [[writes("other.txt", "theirs\n")]],
    })
    await using _ = run
    const second = await run.runtime.session.create({ projectID: run.session.projectID })
    const slow = run.prompt("slow")
    const wait = setInterval(() => void run.read("started").then((text) => text !== null && started.resolve()), 20)
    await started.promise
    clearInterval(wait)
    const quick = await run.runtime.prompt.submit(second.id, { parts: [{ type: "text", text: "quick" }] })
    await run.runtime.prompt.wait(quick.id)
    await slow
    const { revert } = await run.runtime.session.revert(run.session.id, await run.promptID("slow"))
    expect(revert?.files.paths).toEqual(["own.txt", "started"])
    expect(await run.read("other.txt")).toBe("theirs\n")
  })

  test("send events for the session, its todos and its removed messages", async () => {
    const run = await setUp({ one: [[todos(["first", "pending"])]] })
    await using _ = run
    await run.prompt("one")
    await run.runtime.session.revert(run.session.id, await run.promptID("one"))
    await run.until((event) => event.type === "session.updated" && event.properties.info.revert?.messages === 3)
    await run.until((event) => event.type === "todo.updated" && event.properties.todos.length === 0)
    const gone = await run.ids()
    await run.prompt("two")
    for (const id of gone) {
      await run.until((event) => event.type === "message.removed" && event.properties.messageID === id)
    }
  })
})

test("an undo whose end cannot be stored is completed later", async () => {
  const { runtime, session, store, prompt, promptID, write, read } = await setUp({
    Change: [[bash("echo new > a.txt")]],
  })
  await write("a.txt", "old")
  await prompt("Change")
  const { commit } = store.write
  let failures = 2
  store.write.commit = async (batches) => {
    const isEnd = batches.some(({ mutations }) =>
      mutations.some((it) => it.kind === "session.patch" && it.patch.revert?.files.state === "undone"),
    )
    if (isEnd && failures-- > 0) throw new Error("the disk is full")
    return commit(batches)
  }
  await expect(runtime.session.revert(session.id, await promptID("Change"))).rejects.toThrow("the disk is full")
  await expect.poll(async () => (await runtime.session.get(session.id)).revert?.files.state).toBe("undone")
  expect(await read("a.txt")).toBe("old")
  await runtime.close()
})
