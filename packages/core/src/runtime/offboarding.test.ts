import { expect, test } from "vitest"
import type { Caller, Turn } from "../ground/schema/index.ts"
import { unsetWorkspace } from "../setup/workspace/runtime-workspace.ts"
import {
  answer,
  lastUserText,
  type Script,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
} from "../test/scripted-runtime.ts"

const [ada, bob] = ["ada", "bob"].map((person): Caller => ({ person, workspace: "local" })) as [Caller, Caller]

const stopping = { ...unsetWorkspace, get: () => ({ ...unsetWorkspace.get(), whenRemoved: "stop" as const }) }

/** Children that work until they are released, by their prompt. */
function heldChildren() {
  const asked: string[] = []
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const gateOf = (text: string) => {
    const gate = gates.get(text) ?? Promise.withResolvers<void>()
    gates.set(text, gate)
    return gate
  }
  const watchers = new Set<() => void>()
  const child = async (text: string, signal: AbortSignal | undefined) => {
    asked.push(text)
    for (const watch of watchers) watch()
    const stopped = new Promise<never>((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true })
    })
    await Promise.race([gateOf(text).promise, stopped])
    return answer(`answer to ${text}`)
  }
  return {
    asked,
    child,
    release: (text: string) => gateOf(text).resolve(),
    /** Resolves when all of these children work. */
    async work(...texts: string[]) {
      while (!texts.every((each) => asked.includes(each)))
        await new Promise<void>((resolve) => {
          const watch = () => {
            watchers.delete(watch)
            resolve()
          }
          watchers.add(watch)
        })
    },
  }
}

/**
 * `launch: a, b` starts background tasks and ends; `wait: a` starts one and waits for it. Prompts that begin with
 * `child` are held.
 */
function lead(children: ReturnType<typeof heldChildren>): Script {
  return async (options) => {
    const text = lastUserText(options)
    if (text.startsWith("child")) return children.child(text, options.abortSignal)
    const [, how, names = ""] = /^(launch|wait): (.*)$/.exec(text) ?? []
    if (how === undefined || toolResults(options).length > 0) return answer("end")
    const input = (name: string) => ({ prompt: `child ${name}`, description: name })
    return answer(
      "",
      ...names
        .split(", ")
        .map((name) =>
          how === "launch"
            ? { tool: "async_task", input: { agent: "explore", ...input(name) } }
            : { tool: "task", input: { subagent_type: "explore", ...input(name) } },
        ),
    )
  }
}

async function prompt({ runtime, session }: ScriptedRuntime, by: Caller, text: string, sessionID = session.id) {
  const turn = await runtime.as(by).session.promptAsync({ sessionID, parts: [{ type: "text", text }] })
  return { turn, ended: () => runtime.prompt.wait(turn.id) }
}

const states = async ({ runtime, session }: ScriptedRuntime) =>
  Object.fromEntries((await runtime.task.list(session.id)).map(({ description, state }) => [description, state]))

/** The prompts of a session with their senders. */
async function said(host: ScriptedRuntime, sessionID?: string) {
  return (await host.messages(sessionID)).items.flatMap(({ info, parts }) =>
    info.role === "user"
      ? [[info.by?.person ?? null, parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join()]]
      : [],
  )
}

const isIdle = async ({ store }: ScriptedRuntime) => (await store.turn.open()).length === 0

test("a departed person's background tasks end quietly while those of others continue", async () => {
  const children = heldChildren()
  await using host = await scriptedRuntime(lead(children), { workspace: stopping })
  await (await prompt(host, bob, "launch: of bob")).ended()
  await (await prompt(host, ada, "launch: of ada")).ended()
  await children.work("child of bob", "child of ada")
  expect(await host.runtime.offboarding.offboard("bob")).toMatchObject({ stopped: 1, running: 0, withdrawn: 0 })
  expect(await states(host)).toEqual({ "of bob": "cancelled", "of ada": "running" })
  expect((await host.store.turn.open()).map(({ cause }) => cause?.person)).toEqual(["ada"])
  children.release("child of ada")
  // The end of Ada's task starts a turn of the root for Ada.
  const woken = await host.until(
    (event) => event.type === "turn.updated" && event.properties.turn.input.parts.some((part) => isNotice(part)),
  )
  const { turn } = (woken as Extract<typeof woken, { type: "turn.updated" }>).properties
  expect(turn.cause).toEqual(ada)
  await host.runtime.prompt.wait(turn.id)
  const texts = (await said(host)).map(([, text]) => text)
  expect(texts).toHaveLength(3)
  expect(texts[2]).toContain("of ada")
  expect(texts.join()).not.toContain("answer to child of bob")
  expect([await isIdle(host), host.errors]).toEqual([true, []])
})

/** Resolves when the report of an ended task has been answered in the root. */
const reportAnswered = (host: ScriptedRuntime) =>
  host.until(
    (event) =>
      event.type === "turn.updated" &&
      event.properties.turn.status === "completed" &&
      event.properties.turn.input.parts.some((part) => isNotice(part)),
  )

const isNotice = (part: Turn["input"]["parts"][number]) => part.type === "text" && part.notice !== undefined

test("a departed person's tasks run to their end where the workspace allows", async () => {
  const children = heldChildren()
  await using host = await scriptedRuntime(lead(children))
  await (await prompt(host, bob, "launch: one, two")).ended()
  await children.work("child one", "child two")
  expect(await host.runtime.offboarding.offboard("bob")).toMatchObject({ stopped: 0, running: 2 })
  for (const name of ["one", "two"]) {
    children.release(`child ${name}`)
    await host.until(
      (event) =>
        event.type === "task.updated" &&
        event.properties.task.description === name &&
        event.properties.task.state === "completed",
    )
  }
  await reportAnswered(host)
  expect(await states(host)).toEqual({ one: "completed", two: "completed" })
})

test("a departed person's tasks that wait for a slot never begin", async () => {
  const children = heldChildren()
  await using host = await scriptedRuntime(lead(children), {
    workspace: stopping,
    config: { delegation: { concurrency: 1 } },
  })
  await (await prompt(host, bob, "launch: one, two, three")).ended()
  await children.work("child one")
  expect(await host.runtime.offboarding.offboard("bob")).toMatchObject({ stopped: 3 })
  expect(await states(host)).toEqual({ one: "cancelled", two: "cancelled", three: "cancelled" })
  expect([children.asked, await isIdle(host)]).toEqual([["child one"], true])
})

test("prompts of others stay queued and run in order after offboarding", async () => {
  const children = heldChildren()
  await using host = await scriptedRuntime(lead(children), { workspace: stopping })
  await prompt(host, bob, "wait: work")
  await children.work("child work")
  const [child] = await host.runtime.session.children(host.session.id)
  const sent = [
    await prompt(host, ada, "first"),
    await prompt(host, bob, "never"),
    await prompt(host, ada, "second"),
    await prompt(host, ada, "to the task", child?.id),
  ]
  // Work for Bob under other work for Bob counts once.
  expect(await host.runtime.offboarding.offboard("bob")).toMatchObject({ stopped: 1, withdrawn: 1 })
  const ended = await Promise.all(sent.map((each) => each.ended()))
  expect(ended.map(({ id, status }, at) => [id === sent[at]?.turn.id, status])).toEqual([
    [true, "completed"],
    [true, "aborted"],
    [true, "completed"],
    [true, "completed"],
  ])
  expect(await said(host)).toEqual([
    ["bob", "wait: work"],
    ["ada", "first"],
    ["ada", "second"],
  ])
  expect(await said(host, child?.id)).toEqual([
    [null, expect.stringContaining("child work")],
    ["ada", "to the task"],
  ])
  expect([await states(host), await isIdle(host), host.errors]).toEqual([{ work: "cancelled" }, true, []])
})

test("a task counts as work of the person who last resumed it", async () => {
  const children = heldChildren()
  await using host = await scriptedRuntime(lead(children), { workspace: stopping })
  await (await prompt(host, bob, "launch: work")).ended()
  await children.work("child work")
  const [first] = await host.runtime.task.list(host.session.id)
  children.release("child work")
  await reportAnswered(host)
  const again = await host.runtime.as(ada).task.resume({ taskID: first?.id ?? "", text: "child again" })
  await children.work("child again")
  expect(await host.runtime.offboarding.offboard("bob")).toMatchObject({ stopped: 0 })
  expect(await host.runtime.offboarding.offboard("ada")).toMatchObject({ stopped: 1 })
  expect((await host.runtime.task.get(again.id)).state).toBe("cancelled")
})

test("a departed person's schedules pause, also those made by inline commands", async () => {
  await using host = await scriptedRuntime(() => answer("end"))
  await (await prompt(host, bob, "/schedule in 500 weeks: go on")).ended()
  await (await prompt(host, ada, "/schedule in 400 weeks: go on")).ended()
  expect(await host.runtime.offboarding.offboard("bob")).toMatchObject({ paused: 1 })
  const schedules = await host.runtime.schedule.list()
  expect(Object.fromEntries(schedules.map(({ by, status }) => [by?.person, status]))).toEqual({
    bob: "paused",
    ada: "active",
  })
})
