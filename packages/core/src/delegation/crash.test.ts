import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test, vi } from "vitest"
import type { MessageWithParts, Task } from "../schema/index.ts"
import { createMemoryStore, type Store } from "../store/index.ts"
import { answer, lastUserText, type Script, scriptedRuntime, toolResults } from "../test/scripted-runtime.ts"
import { isEnded } from "./task-answers.ts"

/** Three background children, two at once, and a blocking one; the parent gathers the first and answers. */
const script: Script = (options) => {
  const prompt = lastUserText(options)
  const results = toolResults(options)
  if (prompt.startsWith("dig"))
    return results.length > 0 ? answer(`found ${prompt}`) : answer("", { tool: "glob", input: { pattern: "*" } })
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

/** A store in which nothing is written any more after `left` commits, as if its process had died. */
function dyingStore(store: Store, record: (task: Task) => void) {
  const dead = Promise.withResolvers<void>()
  const life = { left: Number.POSITIVE_INFINITY }
  const commit: Store["write"]["commit"] = async (batches) => {
    if (life.left-- <= 0) {
      dead.resolve()
      return new Promise(() => {})
    }
    const changes = await store.write.commit(batches)
    for (const { mutations } of batches)
      for (const mutation of mutations) if (mutation.kind === "task") record(mutation.value)
    return changes
  }
  const dying: Store = { ...store, write: { ...store.write, commit } }
  return { store: dying, dead: dead.promise, life }
}

test("a crash after any write leaves no open task, part or session, no second end and no second notice", async () => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-crash-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const config = { permission: "allow", delegation: { concurrency: 2, envelope: false } }
  const states = new Set<string>()
  for (let kept = 0; ; kept++) {
    const store = createMemoryStore()
    const written = new Map<string, Task["state"][]>()
    const record = ({ id, state }: Task) => {
      const known = written.get(id) ?? []
      if (known.at(-1) !== state) written.set(id, [...known, state])
    }
    const first = dyingStore(store, record)
    const host = await scriptedRuntime(script, { store: first.store, directory, config })
    first.life.left = kept
    const finished = (async () => {
      await host.prompt("Start")
      await settled(host.runtime, host.session.id)
      return true
    })()
    finished.catch(() => {})
    const survived = await Promise.race([finished, first.dead.then(() => false)])
    for (const { state } of await store.task.tree(host.session.id)) states.add(state)
    const again = dyingStore(store, record)
    await using next = await scriptedRuntime(script, { store: again.store, directory })
    await settled(next.runtime, host.session.id)
    await expectWhole(next, host.session.id, written, `after ${kept} writes`)
    if (!survived) continue
    await host.runtime.close()
    break
  }
  // The crashes met tasks in every state that this run knows.
  expect([...states].sort()).toEqual(["completed", "queued", "running"])
}, 120_000)

type Host = Awaited<ReturnType<typeof scriptedRuntime>>

async function settled(runtime: Host["runtime"], sessionID: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const { turns, tasks } = await runtime.session.tree(sessionID)
      expect(turns).toEqual([])
      expect(tasks.filter((task) => !isEnded(task))).toEqual([])
      expect(tasks.filter((task) => task.mode === "background" && task.delivered === "no")).toEqual([])
    },
    { timeout: 10_000, interval: 5 },
  )
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
  const told = (transcripts.get(sessionID) ?? [])
    .filter(({ info }) => info.role === "user")
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))
    .join("\n")
  for (const task of tasks) {
    const times = told.split(`Task #${task.number} "`).length - 1
    expect(times, `notices of task #${task.number} ${when}`).toBe(task.delivered === "turn" ? 1 : 0)
  }
  expect(errors, when).toEqual([])
}
