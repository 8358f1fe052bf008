import { expect, test } from "vitest"
import { dyingStore } from "../../contract/dying-store.ts"
import { treeUsage } from "../../ground/message/usage.ts"
import { localCaller } from "../../test/as-local.ts"
import {
  answer,
  lastUserText,
  type Script,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
} from "../../test/scripted-runtime.ts"
import { noTaskUsage } from "../delegation/tree-budgets.ts"

/** Never answers; ends when the turn is stopped. */
const never: Script = ({ abortSignal }) =>
  new Promise((_, reject) => abortSignal?.addEventListener("abort", () => reject(abortSignal.reason), { once: true }))

/** The prompts that the model of the second host got, once the session is idle after `calls` model calls. */
async function afterRestart(first: ScriptedRuntime, script: Script, calls = 0) {
  const asked: string[] = []
  const second = await scriptedRuntime(
    (options) => {
      asked.push(lastUserText(options))
      return script(options)
    },
    { store: first.store, directory: first.directory },
  )
  const isThrough = async () => {
    const { turns } = await second.runtime.session.tree(first.session.id)
    return asked.length >= calls && turns.length === 0
  }
  await expect.poll(isThrough).toBe(true)
  return { second, asked }
}

/** A host whose root waits forever, with this many background tasks that have all called their model. */
async function waitingRoot(tasks: number): Promise<ScriptedRuntime> {
  let asked = 0
  const all = Promise.withResolvers<void>()
  const input = { agent: "explore", prompt: "dig", description: "dig" }
  const host = await scriptedRuntime(
    (options) => {
      if (lastUserText(options) === "Start" && toolResults(options).length === 0)
        return answer("", ...Array.from({ length: tasks }, () => ({ tool: "async_task", input })))
      asked += 1
      if (asked > tasks) all.resolve()
      return never(options)
    },
    { config: { delegation: { envelope: false } } },
  )
  await host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text: "Start" }] })
  await all.promise
  return host
}

test("prompts with request keys continue in order after a restart", async () => {
  const asking = Promise.withResolvers<void>()
  const first = await scriptedRuntime((options) => {
    asking.resolve()
    return never(options)
  })
  const words = ["one", "two", "three", "four", "five", "six"]
  for (const [index, text] of words.entries()) {
    const { session } = first.runtime.as(localCaller, `key-${text}`)
    await session.promptAsync({ sessionID: first.session.id, parts: [{ type: "text", text }] })
    if (index === 0) await asking.promise
  }
  const { second, asked } = await afterRestart(first, () => answer("Done."), words.length)
  expect(asked.slice(1)).toEqual(words.slice(1))
  await second[Symbol.asyncDispose]()
})

test("a prompt whose work had not begun is asked as it is", async () => {
  const found: boolean[] = []
  for (const writes of [3, 4, 5]) {
    const { store, directory, ...first } = await scriptedRuntime(never)
    await first.runtime.close()
    const { session } = first
    const dying = dyingStore(store, () => {})
    const cut = await scriptedRuntime(never, { store: dying.store, directory, session })
    dying.dieAfter(writes)
    const submitted = cut.runtime.prompt.submit(session.id, { parts: [{ type: "text", text: "Start" }] })
    await Promise.race([submitted.then(() => dying.dead), dying.dead])
    const messages = await store.transcript.sinceCompaction(session.id)
    if (messages.length !== 1) continue
    found.push(true)
    const { second, asked } = await afterRestart({ ...first, store, directory }, () => answer("Done."), 1)
    expect(asked).toEqual(["Start"])
    expect(await store.transcript.sinceCompaction(session.id)).toHaveLength(2)
    await second[Symbol.asyncDispose]()
  }
  expect(found).not.toEqual([])
})

test("a resumed parent continues first, then learns of interrupted tasks, once", async () => {
  const first = await waitingRoot(2)
  // The process dies here: a second runtime opens the same rows.
  const { second, asked } = await afterRestart(first, () => answer("I see."), 2)
  expect(asked).toHaveLength(2)
  expect(asked[0]).toContain("process was restarted")
  expect(asked[1]).toContain("Background tasks have ended")
  for (const number of [1, 2]) expect(asked[1]?.split(`Task #${number} `)).toHaveLength(2)
  const tasks = await second.runtime.task.list(first.session.id)
  expect(tasks.map((task) => [task.state, task.delivered])).toEqual(Array(2).fill(["interrupted", "turn"]))
  await second[Symbol.asyncDispose]()
  const third = await afterRestart(first, () => answer("never"))
  expect(third.asked).toEqual([])
  await third.second[Symbol.asyncDispose]()
  await first[Symbol.asyncDispose]()
})

test("a resumed parent that reads an interrupted task gets no extra notice", async () => {
  const first = await waitingRoot(1)
  const { second, asked } = await afterRestart(first, (options) =>
    toolResults(options).length > 0
      ? answer("I know.")
      : answer("", { tool: "async_task_result", input: { task_id: "1" } }),
  )
  expect(asked.some((text) => text.includes("background task has ended"))).toBe(false)
  expect(await second.runtime.task.list(first.session.id)).toMatchObject([{ state: "interrupted", delivered: "poll" }])
  await second[Symbol.asyncDispose]()
  await first[Symbol.asyncDispose]()
})

test("texts cut by a crash end with the text received", async () => {
  const first = await scriptedRuntime(
    () =>
      new ReadableStream({
        start(stream) {
          stream.enqueue({ type: "reasoning-start", id: "r" })
          stream.enqueue({ type: "reasoning-delta", id: "r", delta: "I think" })
          stream.enqueue({ type: "text-start", id: "t" })
          stream.enqueue({ type: "text-delta", id: "t", delta: "Half a sent" })
        },
      }),
  )
  await first.runtime.prompt.submit(first.session.id, { parts: [{ type: "text", text: "Start" }] })
  const texts = async () => {
    const { items } = await first.messages()
    return items.flatMap(({ info, parts }) =>
      parts.flatMap((part) =>
        info.role === "assistant" && (part.type === "text" || part.type === "reasoning") ? [part] : [],
      ),
    )
  }
  await expect.poll(async () => (await texts()).map((part) => part.text)).toEqual(["I think", "Half a sent"])
  expect((await texts()).map((part) => part.time?.end)).toEqual([null, null])
  const { second } = await afterRestart(first, () => answer("Whole."))
  const after = await texts()
  expect(after.map((part) => part.text)).toEqual(["I think", "Half a sent", "Whole."])
  for (const part of after) expect(part.time?.end).toEqual(expect.any(Number))
  await second[Symbol.asyncDispose]()
  await first[Symbol.asyncDispose]()
})

test("usage of an interrupted step counts once, even after repeated recovery", async () => {
  const asked = Promise.withResolvers<void>()
  const input = { subagent_type: "explore", prompt: "dig", description: "dig" }
  const first = await scriptedRuntime(
    (options) => {
      if (lastUserText(options) === "Start") return answer("", { tool: "task", input })
      asked.resolve()
      return never(options)
    },
    { config: { delegation: { envelope: false } } },
  )
  const { session, directory, store } = first
  await first.runtime.prompt.submit(session.id, { parts: [{ type: "text", text: "Start" }] })
  await asked.promise
  // The usage of the step and of the title.
  const before = { input: 20, output: 10, reasoning: 0, cache: { read: 0, write: 0 } }
  await expect.poll(async () => (await first.runtime.session.get(session.id)).tokens).toEqual(before)
  for (const writes of [3, 4, 5]) {
    const dying = dyingStore(store, () => {})
    dying.dieAfter(writes)
    const starting = scriptedRuntime(never, { store: dying.store, directory, session })
    await Promise.race([starting, dying.dead])
  }
  const last = await scriptedRuntime(never, { store, directory, session })
  const [message] = (await last.messages()).items.flatMap(({ info }) => (info.role === "assistant" ? [info] : []))
  const tokens = { input: 10, output: 5, reasoning: 0, cache: { read: 0, write: 0 } }
  expect(message).toMatchObject({ finish: "interrupted", tokens, cost: 0.00002 })
  const { sessions } = await last.runtime.session.tree(session.id)
  expect(sessions.find(({ id }) => id === session.id)?.tokens).toEqual(before)
  expect(treeUsage(sessions).whole.tokens).toEqual(before)
  await last[Symbol.asyncDispose]()
  await first[Symbol.asyncDispose]()
})

test("a crash after a turn's end leaves no tree clock running", async () => {
  const config = { delegation: { tree: { timeout: 60_000 } } }
  const first = await scriptedRuntime(() => answer("Done."), { config })
  const { id: sessionID } = first.session
  await first.prompt("Start")
  const limits = { tokens: null, cost: null, wallClock: 60_000, toolCalls: null }
  await first.runtime.close()
  // The row of a tree whose work still runs, because the end of the work was not stored.
  const running = { limits, usage: noTaskUsage, worked: 40, since: Date.now() }
  const mutation = { kind: "session.patch", sessionID, patch: { tree: running } } as const
  await first.store.write.commit([{ rootID: sessionID, mutations: [mutation] }])
  await using second = await scriptedRuntime(() => answer(""), { store: first.store, directory: first.directory })
  expect((await second.runtime.session.get(sessionID)).tree).toEqual({ ...running, since: null })
  await first[Symbol.asyncDispose]()
})
