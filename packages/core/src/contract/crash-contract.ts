import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { points } from "@docket/config/sampling"
import { expect, onTestFinished, test, vi } from "vitest"
import { addUsage, noUsage, type Usage } from "../ground/message/usage.ts"
import type { MessageWithParts, Session, Task } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/port/index.ts"
import { isEnded } from "../ground/store/task-ends.ts"
import { answer, lastUserText, type Script, scriptedRuntime, toolResults } from "../test/scripted-runtime.ts"
import { dyingStore } from "./dying-store.ts"

/** Opens an empty store. `crash` drops what its process held and returns the store that the next process opens. */
export type MakeCrashable = () => Promise<{
  store: Store
  crash: () => Promise<Store>
  dispose: () => Promise<void>
}>

/** Number of crashes that run in parallel. They mostly wait. */
const parallelCrashes = 4

/** Time limit for a hanging test (ms): on a busy machine, all writes of a database take minutes. */
const longest = 600_000

/**
 * Declares a test in which a process dies between two writes of delegated work and another process continues with the
 * stored rows: at each `every`th write, at all writes with `pnpm test:full`.
 */
export function crashContract(name: string, open: MakeCrashable, { every }: { every: number }): void {
  test(
    `a crash after any write leaves nothing open and repeats nothing: ${name}`,
    async () => {
      const root = await realpath(await mkdtemp(join(tmpdir(), "docket-crash-")))
      onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 10 }))
      const states = new Set<Task["state"]>()
      const writes = points(every)
      let survived = false
      let failed = false
      const worker = async () => {
        while (!survived && !failed) {
          const kept = writes.next().value
          const directory = join(root, String(kept))
          await mkdir(directory)
          try {
            survived = (await crashAndRestart({ open, directory, kept, states })) || survived
          } catch (error) {
            failed = true
            throw error
          }
        }
      }
      const ends = await Promise.allSettled(Array.from({ length: parallelCrashes }, worker))
      for (const end of ends) if (end.status === "rejected") throw end.reason
      // The crashes found tasks in every state that this run has.
      expect([...states].sort()).toEqual(["completed", "queued", "running"])
    },
    longest,
  )
}

/** Three background children, two at a time, and a blocking one; the parent gathers the first and answers. */
const script: Script = (options) => {
  const prompt = lastUserText(options)
  const results = toolResults(options)
  if (prompt.startsWith("dig"))
    return results.length > 0
      ? answer(`found ${prompt}`)
      : answer("", { tool: "read", input: { filePath: "notes.md" } })
  if (prompt !== "Start") return answer("Understood.")
  const ids = results.flatMap((result) => /task_id: (ses_\w+)\nagent/.exec(result)?.[1] ?? [])
  if (results.length === 0) {
    const names = ["dig a", "dig b", "dig c"]
    return answer(
      "I ask them.",
      ...names.map((name) => ({
        tool: "async_task",
        input: { agent: "explore", prompt: name, description: name },
      })),
    )
  }
  if (results.length === 3 && ids.length > 0) {
    return answer(
      "",
      { tool: "async_task_gather", input: { task_ids: ids, until: "any", wait_ms: 5_000 } },
      { tool: "task", input: { description: "dig d", prompt: "dig d", subagent_type: "general" } },
    )
  }
  return answer("Done.")
}

/** Usage of the scripted model's answer that names the session. */
const namingUsage: Usage = { tokens: { ...noUsage.tokens, input: 10, output: 5 }, cost: 0.00002 }

const config = { permission: "allow", delegation: { concurrency: 2, envelope: false } }

interface Trial {
  open: MakeCrashable
  directory: string
  /** Number of writes before the crash. */
  kept: number
  /** Collects the states in which the crash found tasks. */
  states: Set<Task["state"]>
}

/** Returns whether the work ended before the crash. */
async function crashAndRestart({ open, directory, kept, states }: Trial): Promise<boolean> {
  const written = new Map<string, Task["state"][]>()
  const record = ({ id, state }: Task) => {
    const known = written.get(id) ?? []
    if (known.at(-1) !== state) written.set(id, [...known, state])
  }
  await writeFile(join(directory, "notes.md"), "Three tasks were planned.\n")
  const { store, crash, dispose } = await open()
  try {
    const first = dyingStore(store, record)
    const host = await scriptedRuntime(script, { store: first.store, directory, config })
    const sessionID = host.session.id
    first.dieAfter(kept)
    const finished = (async () => {
      await host.prompt("Start")
      await settled(host.runtime, sessionID)
      return true
    })()
    finished.catch(() => {})
    const survived = await Promise.race([finished, first.dead.then(() => false)])
    // The title is written after the turn: that write may be the one that crashes.
    if (survived) await Promise.race([host.runtime.close(), first.dead])
    const storeAfter = await crash()
    for (const { state } of await storeAfter.task.tree(sessionID)) states.add(state)
    await using next = await scriptedRuntime(script, { store: dyingStore(storeAfter, record).store, directory })
    await settled(next.runtime, sessionID)
    await expectWhole(next, sessionID, written, `after ${kept} writes`)
    return survived
  } finally {
    await dispose()
  }
}

type Host = Awaited<ReturnType<typeof scriptedRuntime>>

async function settled(runtime: Host["runtime"], sessionID: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const { turns, tasks, seq } = await runtime.session.tree(sessionID)
      expect(turns).toEqual([])
      expect(tasks.filter((task) => !isEnded(task))).toEqual([])
      expect(tasks.filter((task) => task.mode === "background" && task.delivered === "no")).toEqual([])
      // The rows are not read in one transaction; they are consistent if nothing was written meanwhile.
      expect((await runtime.session.tree(sessionID)).seq).toBe(seq)
    },
    { timeout: 60_000, interval: 20 },
  )
}

/**
 * The usage of each step is stored on its message and added once to its session; naming the session is one more answer.
 */
function expectCounted({ parentID, cost, tokens }: Session, items: MessageWithParts[], when: string): void {
  let sum = noUsage
  for (const { info, parts } of items) {
    if (info.role !== "assistant") continue
    const used = parts.reduce((all, part) => (part.type === "step-finish" ? addUsage(all, part) : all), noUsage)
    expect({ tokens: info.tokens, cost: info.cost }, `usage of ${info.id} ${when}`).toEqual(used)
    sum = addUsage(sum, used)
  }
  const sums = [sum, ...(parentID === null ? [addUsage(sum, namingUsage)] : [])]
  expect(sums, `usage of the session ${when}`).toContainEqual({ tokens, cost })
}

async function expectWhole(
  { runtime, messages, errors }: Host,
  sessionID: string,
  written: Map<string, Task["state"][]>,
  when: string,
): Promise<void> {
  const { sessions, tasks } = await runtime.session.tree(sessionID)
  const transcripts = new Map<string, MessageWithParts[]>()
  for (const session of sessions) {
    expect(session.status.type, `${session.title} ${when}`).toBe("idle")
    const { items } = await messages(session.id)
    transcripts.set(session.id, items)
    expectCounted(session, items, when)
    for (const { info, parts } of items) {
      if (info.role === "assistant") expect(info.time.completed, when).not.toBeNull()
      for (const part of parts) if (part.type === "tool") expect(part.state.status, when).toMatch(/completed|error/)
    }
  }
  const children = sessions.filter((session) => session.parentID !== null).map((session) => session.id)
  expect(tasks.map((task) => task.sessionID).sort(), when).toEqual(children.sort())
  expect(new Set(tasks.map((task) => task.number)).size, when).toBe(tasks.length)
  expect(new Set(tasks.map((task) => task.partID)).size, when).toBe(tasks.length)
  for (const task of tasks) {
    const ends = written.get(task.id)?.filter((state) => isEnded({ state }))
    expect(ends, `task #${task.number} ${when}`).toEqual([task.state])
  }
  const notes = (transcripts.get(sessionID) ?? [])
    .filter(({ info }) => info.role === "user")
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))
    .join("\n")
  for (const task of tasks) {
    const times = notes.split(`Task #${task.number} "`).length - 1
    expect(times, `notices of task #${task.number} ${when}`).toBe(task.delivered === "turn" ? 1 : 0)
  }
  expect(errors, when).toEqual([])
}
