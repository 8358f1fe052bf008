import { execFileSync } from "node:child_process"
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test, vi } from "vitest"
import { dyingStore } from "../../contract/dying-store.ts"
import type { Task, TaskState } from "../../ground/schema/index.ts"
import { createInMemoryStore, type Store } from "../../ground/store/index.ts"
import {
  answer,
  lastUserText,
  type Script,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
} from "../../test/scripted-runtime.ts"

const config = { permission: "allow", delegation: { envelope: false, review: "required" } }

/** A root that makes these calls and answers with their results. Children answer with the number of their prompts. */
function script(...calls: { tool: string; input: object }[]): Script {
  return (options) => {
    const results = toolResults(options)
    if (JSON.stringify(options.prompt).includes("Start")) {
      return results.length === 0 && lastUserText(options) === "Start"
        ? answer("", ...calls)
        : answer(`heard: ${results.join("\n")}`)
    }
    const asked = options.prompt.filter(({ role }) => role === "user").length
    return answer(`work ${asked}`)
  }
}

const blocking = (more: object = {}) => ({
  tool: "task",
  input: { description: "dig", prompt: "dig", subagent_type: "general", ...more },
})
const background = { tool: "async_task", input: { agent: "general", prompt: "dig", description: "dig" } }

interface SetUp {
  script: Script
  store?: Store
  directory?: string
  config?: object
  session?: ScriptedRuntime["session"]
}

async function setUp(given: SetUp): Promise<ScriptedRuntime> {
  const directory = given.directory ?? (await folder())
  const { session } = given
  return scriptedRuntime(given.script, {
    directory,
    config: given.config ?? config,
    titles: false,
    ...(given.store && { store: given.store }),
    ...(session && { session }),
  })
}

async function folder(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-held-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** The task with this number, once it is in this state. */
async function taskIn({ store, session }: ScriptedRuntime, state: TaskState, number = 1): Promise<Task> {
  return vi.waitFor(
    async () => {
      const task = await store.task.byNumber(session.id, number)
      expect(task?.state).toBe(state)
      if (task === null) throw new Error("unreachable")
      return task
    },
    { timeout: 15_000, interval: 5 },
  )
}

const reviewer = ({ servicesOf }: ScriptedRuntime) => servicesOf({ person: "ann", workspace: "local" }).review

async function lastText(host: ScriptedRuntime): Promise<string> {
  const { items } = await host.messages()
  return items.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : []))).at(-1) ?? ""
}

test("a call waits for its task's approval without occupying a slot", async () => {
  const delegation = { ...config.delegation, concurrency: 1, timeout: 600_000 }
  await using host = await setUp({ script: script(blocking(), blocking()), config: { ...config, delegation } })
  const turn = host.prompt("Start")
  const held = await taskIn(host, "awaiting_review")
  expect(held).toMatchObject({ result: "work 1", deadline: null, time: { ended: null }, waited: { ms: 0 } })
  const other = await taskIn(host, "awaiting_review", 2)
  expect((await reviewer(host).awaiting()).map(({ task }) => task.number)).toEqual([1, 2])
  await reviewer(host).giveVerdict(held.id, "approve", "")
  expect(await taskIn(host, "completed")).toMatchObject({ result: "work 1", waited: { since: null } })
  await reviewer(host).giveVerdict(other.id, "approve", "")
  expect((await turn).status).toBe("completed")
  expect(await lastText(host)).toMatch(/^heard: work 1[\s\S]*work 1/)
  expect(await reviewer(host).awaiting()).toEqual([])
  expect(host.errors).toEqual([])
})

test("a rejection ends the task, and the call reads the reason", async () => {
  await using host = await setUp({ script: script(blocking()) })
  const turn = host.prompt("Start")
  const { id } = await taskIn(host, "awaiting_review")
  await reviewer(host).giveVerdict(id, "reject", "wrong place")
  expect((await turn).status).toBe("completed")
  expect(await taskIn(host, "failed")).toMatchObject({ error: { type: "rejected" }, result: "work 1" })
  const { items } = await host.messages()
  const calls = items.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" ? [part.state] : [])))
  expect(calls).toMatchObject([{ status: "error" }])
  expect(JSON.stringify(calls)).toContain("A person rejected the work: wrong place")
})

test("after sent comments the child works on until another review", async () => {
  await using host = await setUp({ script: script(blocking()) })
  const turn = host.prompt("Start")
  const { id, sessionID } = await taskIn(host, "awaiting_review")
  const ann = reviewer(host)
  await ann.giveVerdict(id, "needs_changes", "too short")
  const draft = await ann.saveDraft({ place: { sessionID, place: { kind: "session" } }, text: "go on" })
  await ann.send({ sessionID, to: "child", draftIDs: [draft.id] })
  await vi.waitFor(async () => {
    expect(await host.store.task.get(id)).toMatchObject({ state: "awaiting_review", result: "work 2" })
  })
  expect(await host.runtime.task.list(host.session.id)).toHaveLength(1)
  const { tasks } = await ann.overview(sessionID)
  expect(tasks).toMatchObject([{ mark: "stale" }])
  await ann.giveVerdict(id, "approve", "")
  await turn
  expect(await lastText(host)).toMatch(/^heard: work 2/)
})

test("a background task with review completes and notifies its parent once approved", async () => {
  const poll = { tool: "async_task_result", input: { task_id: "1", wait_ms: 0 } }
  const awaitsReview = Promise.withResolvers<void>()
  const asking: Script = (options) =>
    toolResults(options).length === 1 && lastUserText(options) === "Start"
      ? awaitsReview.promise.then(() => answer("", poll))
      : script(background)(options)
  await using host = await setUp({ script: asking })
  const turn = host.prompt("Start")
  const { id } = await taskIn(host, "awaiting_review")
  awaitsReview.resolve()
  await turn
  expect(await lastText(host)).toContain("status: awaiting_review")
  await reviewer(host).giveVerdict(id, "approve", "")
  await vi.waitFor(async () => expect((await host.store.task.get(id))?.delivered).toBe("turn"), { timeout: 10_000 })
  expect(await host.store.task.get(id)).toMatchObject({ state: "completed", result: "work 1" })
})

test("Stop and cancel end a task that awaits review", async () => {
  await using host = await setUp({ script: script(blocking(), blocking()) })
  const turn = host.prompt("Start")
  const [first, second] = [await taskIn(host, "awaiting_review"), await taskIn(host, "awaiting_review", 2)]
  expect(await host.runtime.task.cancel(first.id)).toMatchObject({ state: "cancelled", result: "work 1" })
  await host.runtime.abort(host.session.id)
  expect((await turn).status).toBe("aborted")
  expect(await host.store.task.get(second.id)).toMatchObject({ state: "cancelled" })
  expect(await host.store.task.held()).toEqual([])
})

test.each(["is killed", "is stopped"])("a task still awaits its review after the process %s", async (how) => {
  const directory = await folder()
  const store = createInMemoryStore()
  const first = dyingStore(store, () => {})
  const host = await setUp({ script: script(blocking()), store: first.store, directory })
  void host.prompt("Start").catch(() => {})
  const { id } = await taskIn(host, "awaiting_review")
  if (how === "is killed") first.dieAfter(0)
  const closed = host.runtime.close()
  await (how === "is killed" ? first.dead : closed)
  await using next = await setUp({ script: script(), store, directory, session: host.session })
  expect(await store.task.get(id)).toMatchObject({ state: "awaiting_review", mode: "background" })
  await reviewer(next).giveVerdict(id, "approve", "")
  await vi.waitFor(async () => expect((await store.task.get(id))?.delivered).toBe("turn"), { timeout: 10_000 })
  expect(await store.task.get(id)).toMatchObject({ state: "completed", result: "work 1" })
  expect(next.errors).toEqual([])
})

test("a review is required by agent, call or project, else never", async () => {
  const plain = { permission: "allow", delegation: { envelope: false } }
  const cases: [object, object, TaskState][] = [
    [plain, {}, "completed"],
    [plain, { review: "required" }, "awaiting_review"],
    [{ ...plain, agent: { general: { review: "required" } } }, {}, "awaiting_review"],
    [config, {}, "awaiting_review"],
  ]
  for (const [settings, input, state] of cases) {
    await using host = await setUp({ script: script(blocking(input)), config: settings })
    const turn = host.prompt("Start")
    await taskIn(host, state)
    await host.runtime.abort(host.session.id)
    await turn
  }
})

test("a branch under review is merged only while approved", async () => {
  const directory = await folder()
  const git = (...args: string[]) => execFileSync("git", ["-C", directory, ...args])
  git("init", "-q", "-b", "main")
  await writeFile(join(directory, ".gitignore"), ".data\n.home\n")
  await writeFile(join(directory, "a.txt"), "one\n")
  git("add", "-A")
  git("-c", "user.name=T", "-c", "user.email=t@localhost", "commit", "-q", "-m", "first")
  const writing: Script = (options) => {
    const isChild = !JSON.stringify(options.prompt).includes("Start")
    const write = { tool: "write", input: { filePath: "b.txt", content: "two\n" } }
    return isChild && toolResults(options).length === 0 ? answer("", write) : script(blocking())(options)
  }
  const isolated = { ...config, agent: { general: { isolation: "worktree" } } }
  await using host = await setUp({ script: writing, directory, config: isolated })
  const turn = host.prompt("Start")
  const { id } = await taskIn(host, "awaiting_review")
  const ann = reviewer(host)
  await ann.giveVerdict(id, "approve", "")
  await turn
  await ann.withdrawVerdict(id)
  await expect(host.runtime.task.merge(id)).rejects.toMatchObject({ code: "review_required" })
  await ann.giveVerdict(id, "approve", "")
  expect((await host.runtime.task.merge(id)).worktree?.state).toBe("merged")
  expect(await readFile(join(directory, "b.txt"), "utf8")).toBe("two\n")
})
