import { expect, test } from "vitest"
import type { FeedItem, Session, ToolPart } from "../../ground/schema/index.ts"
import { jumpTime } from "../../test/jump-time.ts"
import {
  answer,
  lastUserText,
  type Script,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
} from "../../test/scripted-runtime.ts"

const timeLimitMessage = /The session and its tasks together reached their time limit of [\dm ]+ s\./

/** Never answers; ends when the turn is stopped. */
const hang: Script = ({ abortSignal }) =>
  new Promise((_, reject) => {
    const stop = () => reject(abortSignal?.reason)
    if (abortSignal?.aborted) stop()
    abortSignal?.addEventListener("abort", stop, { once: true })
  })

const launch = (prompt: string) => ({ tool: "async_task", input: { agent: "explore", prompt, description: prompt } })
const delegate = (prompt: string) => ({
  tool: "task",
  input: { subagent_type: "explore", prompt, description: prompt },
})

async function toolParts(host: ScriptedRuntime): Promise<ToolPart[]> {
  const { items } = await host.messages()
  return items.flatMap((item) => item.parts.filter((part): part is ToolPart => part.type === "tool"))
}

const rootChange = (fits: (session: Session) => boolean) => (event: FeedItem) =>
  event.type === "session.updated" && event.properties.info.parentID === null && fits(event.properties.info)

test("a tree's time limit ends tasks and root; the next prompt works", async () => {
  let passed = 0
  let digging = 0
  const clock = () => Date.now() + passed
  await using host = await scriptedRuntime(
    (options) => {
      const prompt = lastUserText(options)
      if (prompt.startsWith("dig")) {
        if (toolResults(options).length === 0) {
          return answer(`halfway through ${prompt}`, { tool: "glob", input: { pattern: "*" } })
        }
        digging += 1
        // Both have findings: the time passes at once.
        if (digging === 2) passed = 600_000
        return hang(options)
      }
      return answer("", launch("dig a"), launch("dig queued"), delegate("dig b"))
    },
    {
      config: { delegation: { envelope: false, concurrency: 2, tree: { timeout: 600_000 } }, permission: "allow" },
      clock,
    },
  )
  const turn = await host.prompt("Start")
  expect(turn).toMatchObject({ status: "failed", error: { name: "LimitReachedError" } })
  expect(turn.error?.message).toMatch(timeLimitMessage)
  const tasks = await host.runtime.task.list(host.session.id)
  expect(tasks.map((task) => [task.state, task.error?.type])).toEqual(Array(3).fill(["timed_out", "limit_reached"]))
  for (const task of tasks) expect(task.error?.message).toMatch(timeLimitMessage)
  expect(tasks.flatMap((task) => task.result ?? []).sort()).toHaveLength(2)
  const blocking = (await toolParts(host)).find((part) => part.tool === "task")
  expect(blocking?.state.status === "error" ? blocking.state.error : "").toMatch(timeLimitMessage)
  expect(await delivered(host)).toEqual(["no", "no", "result"])

  // The report of the background tasks waits for a prompt, here and after a restart, because a turn would end at once.
  await host.runtime.close()
  await using later = await scriptedRuntime(
    (options) => answer(lastUserText(options).includes("Background tasks have ended") ? "I see." : "All right."),
    { store: host.store, directory: host.directory, clock },
  )
  const read = async () => (await later.messages(host.session.id)).items
  const errors = async () => (await read()).flatMap(({ info }) => (info.role === "assistant" && info.error) || [])
  expect((await later.runtime.session.tree(host.session.id)).turns).toEqual([])
  const next = await later.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text: "Go on" }] })
  expect((await later.runtime.prompt.wait(next.id)).status).toBe("completed")
  await expect.poll(async () => JSON.stringify((await read()).at(-1))).toContain("I see.")
  const told = (await read()).filter(({ parts }) => JSON.stringify(parts).includes("Background tasks have ended"))
  expect(told).toHaveLength(1)
  expect(JSON.stringify(told)).toContain("halfway through dig a")
  expect(await errors()).toHaveLength(1)
  expect(await delivered(later, host.session.id)).toEqual(["result", "turn", "turn"])
  expect([...host.errors, ...later.errors]).toEqual([])
})

async function delivered(host: ScriptedRuntime, sessionID = host.session.id) {
  return (await host.runtime.task.list(sessionID)).map((task) => task.delivered).sort()
}

test("a tree's limit ends a lone root; the stricter limit counts", async () => {
  const config = {
    delegation: { tree: { timeout: 600_000 } },
    agent: { build: { limits: { tree: { timeout: 200_000 } } } },
  }
  const pass = jumpTime()
  let passed = 0
  const thinking: Script = (options) => {
    passed = 200_000
    pass(passed)
    return hang(options)
  }
  await using host = await scriptedRuntime(thinking, { config, clock: () => Date.now() + passed })
  const turn = await host.prompt("Think for ever")
  expect(turn).toMatchObject({ status: "failed", error: { name: "LimitReachedError" } })
  expect(turn.error?.message).toContain("3 m 20 s")
  const { items } = await host.messages()
  expect(items.at(-1)?.info).toMatchObject({ error: { message: expect.stringMatching(timeLimitMessage) } })
  expect((await host.runtime.session.get(host.session.id)).status.type).toBe("idle")
})

test("the tree's clock stops while a child waits for a person", async () => {
  const gate = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(
    async (options) => {
      if (lastUserText(options) === "dig") {
        if (toolResults(options).length === 0) return answer("", { tool: "bash", input: { command: "true" } })
        await gate.promise
        return answer("dug")
      }
      return toolResults(options).length > 0 ? answer("done") : answer("", delegate("dig"))
    },
    { config: { delegation: { envelope: false, tree: { timeout: 600_000 } }, permission: { bash: "ask" } } },
  )
  const turn = host.prompt("Start")
  const asked = await host.until((event) => event.type === "permission.asked")
  const clockStopped = await host.until(rootChange(({ tree }) => tree?.since === null))
  if (clockStopped.type !== "session.updated" || asked.type !== "permission.asked") throw new Error("no such event")
  expect(clockStopped.properties.info.tree?.limits.wallClock).toBe(600_000)
  await host.runtime.permission.reply(asked.properties.request.id, "once")
  await host.until(
    (event) =>
      event.seq !== null && event.seq > (clockStopped.seq ?? 0) && rootChange(({ tree }) => tree?.since != null)(event),
  )
  gate.resolve()
  expect((await turn).status).toBe("completed")
})

test("a tree's time before a crash still counts", async () => {
  const config = { delegation: { tree: { timeout: 60_000 } } }
  const first = await scriptedRuntime(hang, { config })
  const turn = await first.runtime.prompt.submit(first.session.id, { parts: [{ type: "text", text: "Start" }] })
  const started = await first.until(rootChange(({ tree }) => tree?.since != null))
  if (started.type !== "session.updated" || !started.properties.info.tree) throw new Error("no budget")
  // The state after a minute. The process dies here: a second runtime opens the same rows.
  const tree = { ...started.properties.info.tree, worked: 59_990 }
  await first.store.write.commit([
    { rootID: first.session.id, mutations: [{ kind: "session.patch", sessionID: first.session.id, patch: { tree } }] },
  ])
  await using second = await scriptedRuntime(hang, { store: first.store, directory: first.directory })
  const ended = await second.runtime.prompt.wait(turn.id)
  expect(ended).toMatchObject({ status: "failed", error: { name: "LimitReachedError" } })
  await first[Symbol.asyncDispose]()
})

test("calls beyond the tool call limit are not run", async () => {
  await using host = await scriptedRuntime(
    (options) => {
      if (lastUserText(options) !== "dig")
        return toolResults(options).length > 0 ? answer("done") : answer("", delegate("dig"))
      const calls = [1, 2, 3, 4].map((n) => ({ tool: "glob", input: { pattern: `*.${n}` } }))
      return answer("I run four.", ...calls)
    },
    { config: { delegation: { envelope: false, tool_calls: 2 }, permission: "allow" } },
  )
  await host.prompt("Start")
  const [task] = await host.runtime.task.list(host.session.id)
  expect(task).toMatchObject({ state: "failed", usage: { toolCalls: 2 }, error: { type: "limit_reached" } })
  const { items } = await host.messages(task?.sessionID)
  const states = items.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" ? [part.state] : [])))
  expect(states.map((state) => (state.status === "error" ? state.error : state.status))).toEqual([
    "completed",
    "completed",
    "Not run: the limit of tool calls was reached.",
    "Not run: the limit of tool calls was reached.",
  ])
})
