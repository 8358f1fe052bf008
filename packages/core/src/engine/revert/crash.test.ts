import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { dyingStore } from "../../contract/dying-store.ts"
import type { Session, Todo } from "../../ground/schema/index.ts"
import { createInMemoryStore, type Store } from "../../ground/store/index.ts"
import {
  answer,
  lastUserText,
  type Script,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
} from "../../test/scripted-runtime.ts"

const todos = (content: string) => ({
  tool: "todowrite",
  input: { todos: [{ content, status: "pending", priority: "low" }] },
})

const config = { permission: "allow" }

const script: Script = (options) => {
  const done = toolResults(options).length
  if (done > 1 || lastUserText(options) !== "work") return answer("Done.")
  if (done === 0) return answer("", { tool: "read", input: { filePath: "a.txt" } })
  const write = (filePath: string) => ({ tool: "write", input: { filePath, content: "new\n" } })
  return answer("", todos("item"), write("a.txt"), write("b.txt"))
}

/** What a user sees: whether the turn is undone, the files, the list. */
interface WorkState {
  undone: boolean
  files: (string | null)[]
  todos: string[]
}

const done: WorkState = { undone: false, files: ["new\n", "new\n"], todos: ["item"] }
const undone: WorkState = { undone: true, files: ["old\n", null], todos: [] }

async function stateIn(directory: string, session: Session, list: Todo[]): Promise<WorkState> {
  const read = (name: string) => readFile(join(directory, name), "utf8").catch(() => null)
  return {
    undone: Boolean(session.revert),
    files: await Promise.all(["a.txt", "b.txt"].map(read)),
    todos: list.map((todo) => todo.content),
  }
}

async function stateOf({ runtime, session, directory }: Pick<ScriptedRuntime, "runtime" | "session" | "directory">) {
  return stateIn(directory, await runtime.session.get(session.id), await runtime.todo.list(session.id))
}

/** A session with one turn that wrote two files and a todo, on a store that can fail. */
async function worked(root: string, name: string) {
  const directory = join(root, name)
  await mkdir(directory)
  execFileSync("git", ["init", "-q"], { cwd: directory })
  await writeFile(join(directory, "a.txt"), "old\n")
  const store = createInMemoryStore()
  const mortal = dyingStore(store, () => {})
  const host = await scriptedRuntime(script, { store: mortal.store, directory, config, titles: false })
  await host.prompt("work")
  const { items } = await host.messages()
  return { ...host, directory, store, mortal, messageID: items[0]?.info.id ?? "" }
}

type Worked = Awaited<ReturnType<typeof worked>>

/** Kills the process after `kept` writes of `act`; returns whether `act` completed. */
async function dies({ mortal }: Worked, kept: number, act: () => Promise<unknown>): Promise<boolean> {
  mortal.dieAfter(kept)
  const acting = act().then(() => true)
  return Promise.race([acting, mortal.dead.then(() => false)])
}

async function restarted(host: Worked, store: Store): Promise<WorkState> {
  await using next = await scriptedRuntime(script, { store, directory: host.directory, titles: false })
  expect(next.errors).toEqual([])
  return stateOf({ runtime: next.runtime, session: host.session, directory: host.directory })
}

async function temporary(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "docket-undo-crash-")))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  return root
}

test("a crash during an undo leaves it completely done or not begun", async () => {
  const root = await temporary()
  const seen: boolean[] = []
  for (let kept = 0, through = false; !through; kept++) {
    const host = await worked(root, String(kept))
    through = await dies(host, kept, () => host.runtime.session.revert(host.session.id, host.messageID))
    // Also as after a crash between two files: one of them has not been moved yet.
    const isHalfMoved = (await host.store.session.get(host.session.id))?.revert?.files.state === "undoing"
    if (isHalfMoved) await writeFile(join(host.directory, "b.txt"), "new\n")
    const after = await restarted(host, host.store)
    expect(after, `after ${kept} writes`).toEqual(after.undone ? undone : done)
    seen.push(after.undone)
  }
  expect(new Set(seen)).toEqual(new Set([false, true]))
})

test("a crash during a redo leaves it completely done or not begun", async () => {
  const root = await temporary()
  const seen: boolean[] = []
  for (let kept = 0, through = false; !through; kept++) {
    const host = await worked(root, String(kept))
    await host.runtime.session.revert(host.session.id, host.messageID)
    expect(await stateOf(host)).toEqual(undone)
    through = await dies(host, kept, () => host.runtime.session.unrevert(host.session.id))
    const isHalfMoved = (await host.store.session.get(host.session.id))?.revert?.files.state === "redoing"
    if (isHalfMoved) await writeFile(join(host.directory, "a.txt"), "old\n")
    const after = await restarted(host, host.store)
    expect(after, `after ${kept} writes`).toEqual(after.undone ? undone : done)
    seen.push(after.undone)
  }
  expect(new Set(seen)).toEqual(new Set([false, true]))
})

test("a step that a crash cut off is undone like any other", async () => {
  const root = await temporary()
  const gate = Promise.withResolvers<void>()
  const directory = join(root, "cut")
  await mkdir(directory)
  execFileSync("git", ["init", "-q"], { cwd: directory })
  await writeFile(join(directory, "a.txt"), "old\n")
  const store = createInMemoryStore()
  const mortal = dyingStore(store, () => {})
  const command = "echo new > a.txt; touch started; sleep 30"
  const cut: Script = (options) =>
    toolResults(options).length > 0 ? answer("Done.") : answer("", { tool: "bash", input: { command } })
  const host = await scriptedRuntime(cut, { store: mortal.store, directory, config, titles: false })
  void host.prompt("work").catch(() => {})
  const polling = setInterval(() => {
    void readFile(join(directory, "started")).then(
      () => gate.resolve(),
      () => {},
    )
  }, 20)
  await gate.promise
  clearInterval(polling)
  mortal.dieAfter(0)
  await using next = await scriptedRuntime(cut, { store, directory, titles: false })
  await next.runtime.abort(host.session.id)
  const { items } = await next.messages(host.session.id)
  const { revert } = await next.runtime.session.revert(host.session.id, items[0]?.info.id ?? "")
  expect(revert?.files.paths).toEqual(["a.txt", "started"])
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("old\n")
})

test("an undo that cannot be completed does not prevent a service start", async () => {
  const root = await temporary()
  const host = await worked(root, "stuck")
  const { revert } = await host.runtime.session.revert(host.session.id, host.messageID)
  if (!revert) throw new Error("nothing was undone")
  expect({ files: revert.files, errors: host.errors }).toMatchObject({ files: { count: 2, note: null }, errors: [] })
  await host[Symbol.asyncDispose]()
  const patch = { revert: { ...revert, files: { ...revert.files, state: "undoing" as const } } }
  await host.store.write.commit([
    { rootID: host.session.id, mutations: [{ kind: "session.patch", sessionID: host.session.id, patch }] },
  ])
  const data = join(host.directory, ".data")
  await mkdir(join(data, "undo-pending"), { recursive: true })
  await writeFile(join(data, "undo-pending", host.session.id), "")
  await rm(join(data, "snapshots"), { recursive: true })
  await writeFile(join(data, "snapshots"), "in the way")
  await using next = await scriptedRuntime(script, { store: host.store, directory: host.directory, titles: false })
  expect(next.errors).toHaveLength(1)
  await rm(join(data, "snapshots"))
  await using last = await scriptedRuntime(script, { store: host.store, directory: host.directory, titles: false })
  expect((await last.runtime.session.get(host.session.id)).revert?.files.state).toBe("undone")
})
