import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { points } from "@docket/config/sampling"
import { expect, onTestFinished, test } from "vitest"
import { dyingStore } from "../../contract/dying-store.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { commandsEnded } from "../../test/commands-ended.ts"
import {
  answer,
  lastUserText,
  type Script,
  type ScriptedRuntime,
  scriptedRuntime,
} from "../../test/scripted-runtime.ts"
import { silentGit } from "../../test/silent-git.ts"
import { type WatchedGit, watchedGit } from "../snapshot/test/watched-git.ts"

type Call = { tool: string; input: unknown }

const writes = (filePath: string, content: string): Call => ({ tool: "write", input: { filePath, content } })
const reads = (filePath: string): Call => ({ tool: "read", input: { filePath } })
const bash = (command: string): Call => ({ tool: "bash", input: { command } })

/** One answer per list of calls, then "Done."; the answer with a number in `before` waits for that promise. */
function stepwise(steps: Call[][], before: Record<number, () => Promise<unknown>> = {}): Script {
  return async (options) => {
    if (lastUserText(options) !== "work") return answer("Done.")
    const done = options.prompt.filter((message) => message.role === "assistant").length
    await before[done]?.()
    return answer(done < steps.length ? "" : "Done.", ...(steps[done] ?? []))
  }
}

async function project(): Promise<{ directory: string; git: WatchedGit; env: { PATH: string } }> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "docket-step-files-")))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const directory = join(root, "project")
  await mkdir(directory)
  execFileSync("git", ["init", "-q"], { cwd: directory })
  const git = await watchedGit(join(root, "bin"))
  return { directory, git, env: { PATH: git.PATH } }
}

const config = { permission: "allow" }

async function undone({ runtime, session, messages }: Pick<ScriptedRuntime, "runtime" | "session" | "messages">) {
  const { items } = await messages(session.id)
  return (await runtime.session.revert(session.id, items[0]?.info.id ?? "")).revert?.files
}

const textOf = (directory: string, name: string) => readFile(join(directory, name), "utf8").catch(() => null)

test("steps whose tools name their files run git once per file", async () => {
  const { directory, git, env } = await project()
  const steps = ["1", "2", "3", "4"].map((text) => [writes("a.txt", text), writes("b.txt", text)])
  await using host = await scriptedRuntime(stepwise(steps), { directory, config, env, titles: false })
  await host.prompt("work")
  expect((await git.calls()).filter((call) => call !== "prune" && call !== "count-objects")).toEqual([
    "check-ignore",
    "check-ignore",
  ])
  expect(await undone(host)).toMatchObject({ paths: ["a.txt", "b.txt"], left: [], note: null })
  expect(await textOf(directory, "a.txt")).toBeNull()
  expect(host.errors).toEqual([])
})

test("a read-only command takes no snapshot, and changes by others stay", async () => {
  const { directory, git, env } = await project()
  await writeFile(join(directory, "a.txt"), "old\n")
  const changing = `echo new > a.txt; touch '${git.held}'`
  const reading = "while [ ! -e go ]; do cat a.txt; done"
  const script = stepwise([[bash(changing)], [bash(reading)]])
  await using host = await scriptedRuntime(script, { directory, config, env, titles: false })
  const turn = host.prompt("work")
  // The second command runs while git cannot search for changes of the first one.
  await host.until(
    (event) =>
      event.type === "message.part.updated" &&
      event.properties.part.type === "tool" &&
      JSON.stringify(event.properties.part.state).includes("new\\n"),
  )
  await git.release()
  await host.until((event) => event.type === "message.part.updated" && event.properties.part.type === "patch")
  const looks = (await git.calls()).length
  await writeFile(join(directory, "theirs.txt"), "a person's\n")
  await writeFile(join(directory, "go"), "")
  await turn
  expect((await git.calls()).length).toBe(looks)
  expect(await undone(host)).toMatchObject({ paths: ["a.txt"], left: [], note: null })
  expect(await textOf(directory, "a.txt")).toBe("old\n")
  expect(await textOf(directory, "theirs.txt")).toBe("a person's\n")
  expect(host.errors).toEqual([])
})

test("a command's changes are found in the background; the next change waits", async () => {
  const { directory, git, env } = await project()
  await writeFile(join(directory, "a.txt"), "old\n")
  const asked = Promise.withResolvers<void>()
  const command = `rm a.txt; echo made > made.txt; touch '${git.held}'`
  const script = stepwise([[reads("a.txt")], [bash(command)], [writes("a.txt", "new\n")]], {
    2: async () => asked.resolve(),
  })
  await using host = await scriptedRuntime(script, { directory, config, env, titles: false })
  const turn = host.prompt("work")
  // The model continues while git is blocked.
  await asked.promise
  await host.until(
    (event) =>
      event.type === "message.part.updated" &&
      event.properties.part.type === "tool" &&
      event.properties.part.tool === "write" &&
      event.properties.part.state.status === "running",
  )
  // The change waits for git.
  expect(await textOf(directory, "a.txt")).toBeNull()
  await git.release()
  await turn
  expect(await textOf(directory, "a.txt")).toBe("new\n")
  expect(await undone(host)).toMatchObject({ paths: ["a.txt", "made.txt"], left: [], note: null })
  expect(await textOf(directory, "a.txt")).toBe("old\n")
  expect(host.errors).toEqual([])
})

test("a turn ends after its last command's changes are stored", async () => {
  const { directory, git, env } = await project()
  const script = stepwise([[bash(`echo made > made.txt; touch '${git.held}'`)]])
  await using host = await scriptedRuntime(script, { directory, config, env, titles: false })
  const turn = host.prompt("work")
  await host.until((event) => JSON.stringify(event).includes("Done."))
  expect((await host.runtime.session.get(host.session.id)).status.type).toBe("busy")
  await git.release()
  await turn
  expect(await undone(host)).toMatchObject({ paths: ["made.txt"], left: [], note: null })
})

test("an ignored file that a step names is neither copied nor undone", async () => {
  const { directory, env } = await project()
  await writeFile(join(directory, ".gitignore"), ".env\n.data\n")
  await writeFile(join(directory, ".env"), "TOKEN=old\n")
  const steps = [[reads(".env")], [writes(".env", "TOKEN=new\n"), writes("plain.txt", "x\n")]]
  await using host = await scriptedRuntime(stepwise(steps), { directory, config, env, titles: false })
  await host.prompt("work")
  expect(await undone(host)).toMatchObject({ paths: ["plain.txt"], left: [], note: null })
  expect(await textOf(directory, ".env")).toBe("TOKEN=new\n")
  const kept = await readdir(join(directory, ".data", "snapshots"), { recursive: true })
  for (const text of ["TOKEN=old\n", "TOKEN=new\n"]) {
    const name = createHash("sha1").update(`blob ${text.length}\0${text}`).digest("hex")
    expect(kept.filter((path) => path.endsWith(name.slice(2)))).toEqual([])
  }
  expect(host.errors).toEqual([])
})

test.each([
  ["a directory", "rm large && mkdir large && echo x > large/a.txt && echo y > large/b.txt", null],
  ["a small file", "echo small > large", "small\n"],
  ["nothing", "rm large", null],
])("a large file replaced by %s is named; the rest is undone", async (_, command, now) => {
  const { directory, env } = await project()
  await writeFile(join(directory, "large"), "x".repeat(2 * 1024 * 1024 + 1))
  const steps = [[bash("echo first > first.txt")], [bash(command)], [bash("echo last > last.txt")]]
  await using host = await scriptedRuntime(stepwise(steps), { directory, config, env, titles: false })
  await host.prompt("work")
  const files = await undone(host)
  expect(files).toMatchObject({ left: [{ path: "large", reason: "too_large" }], note: null })
  const made = command.match(/large\/\w\.txt/g) ?? []
  expect(files?.paths).toEqual(["first.txt", ...made, "last.txt"].sort())
  for (const path of ["first.txt", ...made, "last.txt"]) expect(await textOf(directory, path)).toBeNull()
  expect(await textOf(directory, "large")).toBe(now)
  expect(host.errors).toEqual([])
})

test("a file too large to keep is named and not restored", async () => {
  const { directory, env } = await project()
  const large = "x".repeat(2 * 1024 * 1024 + 1)
  await writeFile(join(directory, "large.txt"), large)
  const steps = [[reads("large.txt")], [writes("large.txt", "small\n"), writes("plain.txt", "x\n")]]
  await using host = await scriptedRuntime(stepwise(steps), { directory, config, env, titles: false })
  await host.prompt("work")
  const left = [{ path: "large.txt", reason: "too_large" }]
  expect(await undone(host)).toMatchObject({ paths: ["plain.txt"], left, note: null })
  expect(await textOf(directory, "large.txt")).toBe("small\n")
})

test("a step without a possible snapshot still runs, and undo reports it", async () => {
  const { directory, env } = await project()
  await mkdir(join(directory, ".data"))
  await writeFile(join(directory, ".data", "snapshots"), "in the way")
  await using host = await scriptedRuntime(stepwise([[writes("a.txt", "1\n")]]), { directory, config, env })
  await host.prompt("work")
  expect(await textOf(directory, "a.txt")).toBe("1\n")
  expect(await undone(host)).toMatchObject({ paths: [], left: [], note: expect.stringContaining("no snapshot") })
  expect(await textOf(directory, "a.txt")).toBe("1\n")
  expect(host.errors).toHaveLength(1)
})

test("a step is undone even if a crash hid its changes", async () => {
  const { directory, git, env } = await project()
  await writeFile(join(directory, "a.txt"), "old\n")
  const store = createInMemoryStore()
  const mortal = dyingStore(store, () => {})
  const asked = Promise.withResolvers<void>()
  const script = stepwise([[bash(`echo new > a.txt; echo made > made.txt; touch '${git.held}'`)]], {
    1: async () => asked.resolve(),
  })
  const host = await scriptedRuntime(script, { store: mortal.store, directory, config, env, titles: false })
  void host.prompt("work").catch(() => {})
  await asked.promise
  mortal.dieAfter(0)
  const { items } = await store.transcript.page({ sessionID: host.session.id, limit: 10 })
  const step = items.find(({ parts }) => parts.some((part) => part.type === "tool"))
  expect(step?.info).toMatchObject({ finish: "tool-calls", time: { completed: expect.any(Number) } })
  expect(step?.parts.some((part) => part.type === "patch")).toBe(false)
  // The dead process starts no git.
  env.PATH = "/none"
  await git.release()
  await using next = await scriptedRuntime(stepwise([]), { store, directory, config, titles: false })
  await next.runtime.abort(host.session.id)
  const undo = undone({ runtime: next.runtime, session: host.session, messages: next.messages })
  expect(await undo).toMatchObject({ paths: ["a.txt", "made.txt"], left: [], note: null })
  expect(await textOf(directory, "a.txt")).toBe("old\n")
})

test("after a crash at any point, undo restores every file", async () => {
  const before = { "a.txt": "old a\n", "b.txt": null, "c.txt": null, "gone.txt": "still here\n" }
  const steps = [
    [reads("a.txt")],
    [writes("a.txt", "1\n"), writes("b.txt", "1\n")],
    [bash("echo 2 >> a.txt; echo 2 > c.txt; rm gone.txt")],
    [writes("b.txt", "3\n"), bash("echo 3 >> c.txt")],
    [writes("b.txt", "4\n")],
  ]
  const writesTried = points(8)
  const silent = await silentGit()
  for (let survived = false; !survived; ) {
    const kept = writesTried.next().value
    const { directory, env } = await project()
    for (const [name, text] of Object.entries(before)) if (text !== null) await writeFile(join(directory, name), text)
    const store = createInMemoryStore()
    const mortal = dyingStore(store, () => {})
    const host = await scriptedRuntime(stepwise(steps), { store: mortal.store, directory, config, env, titles: false })
    mortal.dieAfter(kept)
    const turn = host.prompt("work").then(() => true)
    survived = await Promise.race([turn, mortal.dead.then(() => false)])
    if (survived) await host[Symbol.asyncDispose]()
    // Hides git from the dead process: with a failing git its work would continue without a snapshot.
    env.PATH = silent
    await commandsEnded(directory)
    await using next = await scriptedRuntime(stepwise([]), { store, directory, config, titles: false })
    const of = { runtime: next.runtime, session: host.session, messages: next.messages }
    await next.runtime.abort(host.session.id)
    if ((await next.messages(host.session.id)).items.length === 0) continue
    expect(await undone(of), `after ${kept} writes`).toMatchObject({ left: [], note: null })
    for (const [name, text] of Object.entries(before)) {
      expect(await textOf(directory, name), `${name} after ${kept} writes`).toBe(text)
    }
    expect(next.errors, `after ${kept} writes`).toEqual([])
  }
})
