import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { callStatus } from "../../ground/message/call-status.ts"
import { taskTimes } from "../../ground/message/task-times.ts"
import { sessionStatus, treeStatuses } from "../../ground/message/work-status.ts"
import type { FeedItem, PermissionRequest } from "../../ground/schema/index.ts"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

const bash = (command: string) => ({ tool: "bash", input: { command, description: command } })
const work = { tool: "task", input: { subagent_type: "general", prompt: "work", description: "Work" } }

test("waiting for answers is timed apart from work; overlapping waits count once", async () => {
  let now = 1_000_000
  const asked: PermissionRequest[] = []
  const config = { permission: { bash: { "*": "ask" } } } as const
  await using host = await scriptedRuntime(
    (options) => {
      if (toolResults(options).length > 0) return answer("Done.")
      return lastUserText(options) === "work" ? answer("", bash("git gc"), bash("git prune")) : answer("", work)
    },
    { config, clock: () => now, titles: false },
  )
  const turn = host.prompt("Start")
  const isAsk = (event: FeedItem) => {
    const isNew = event.type === "permission.asked" && !asked.some(({ id }) => id === event.properties.request.id)
    if (isNew) asked.push(event.properties.request)
    return isNew
  }
  await host.until(isAsk)
  now += 40_000
  await host.runtime.permission.reply(asked[0]?.id ?? "", "once")
  await host.until(isAsk)
  now += 20_000
  await host.runtime.permission.reply(asked[1]?.id ?? "", "once")
  await turn
  const [task] = await host.runtime.task.list(host.session.id)
  expect(task?.state).toBe("completed")
  expect(task?.waited).toEqual({ ms: 60_000, since: null })
  expect(task && taskTimes(task)).toEqual({
    waited: { ms: 60_000, since: null },
    worked: { ms: (task?.time.ended ?? 0) - (task?.time.started ?? 0) - 60_000, since: null },
  })
})

test("a waiting task goes on after a crash without counting the downtime", async () => {
  let now = 1_000_000
  const clock = () => now
  const config = { permission: { bash: { "*": "ask" } } } as const
  const first = await scriptedRuntime(
    (options) => (lastUserText(options) === "work" ? answer("", bash("git gc")) : answer("", work)),
    { config, clock, titles: false },
  )
  const { session, store, directory } = first
  await first.runtime.prompt.submit(session.id, { parts: [{ type: "text", text: "Start" }] })
  await first.until((event) => event.type === "task.updated" && event.properties.task.waited?.since === 1_000_000)
  // The process writes its last heartbeat, dies, and is started again an hour later.
  await mkdir(join(directory, ".data"), { recursive: true })
  await writeFile(join(directory, ".data/last-sign"), String(now + 40_000))
  now += 3_600_000
  const second = await scriptedRuntime(() => answer("I see."), { store, directory, session, clock, titles: false })
  const [task] = await second.runtime.task.list(session.id)
  expect(task).toMatchObject({ state: "running", waited: { ms: 40_000, since: now } })
  now += 5_000
  const [request] = await second.runtime.permission.pending(session.id)
  await second.runtime.permission.reply(request?.id ?? "", "reject", { message: "no" })
  await expect.poll(async () => (await second.runtime.task.list(session.id))[0]?.state).toBe("completed")
  const [ended] = await second.runtime.task.list(session.id)
  expect(ended?.waited).toEqual({ ms: 45_000, since: null })
  await second[Symbol.asyncDispose]()
  await first[Symbol.asyncDispose]()
})

test("a task ended by a rejected call is shown as stopped everywhere", async () => {
  await using host = await scriptedRuntime(
    (options) => {
      if (lastUserText(options) === "dig") return answer("", { tool: "bash", input: { command: "rm -r a" } })
      const [result] = toolResults(options)
      const input = { description: "work", prompt: "dig", subagent_type: "general" }
      return result === undefined ? answer("", { tool: "task", input }) : answer(result)
    },
    { config: { permission: { "*": "allow", bash: "ask" }, delegation: { envelope: false } } },
  )
  const turn = host.prompt("Start")
  const asked = await host.until(({ type }) => type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("nothing was asked")
  await host.runtime.permission.reply(asked.properties.request.id, "reject")
  expect((await turn).status).toBe("completed")
  const { sessions, tasks } = await host.runtime.session.tree(host.session.id)
  expect(tasks[0]).toMatchObject({ state: "cancelled", error: { type: "rejected" } })
  expect(tasks[0]?.moments?.map(({ kind }) => kind)).toEqual(["wait"])
  const child = tasks[0]?.sessionID ?? ""
  expect(treeStatuses({ sessions, tasks, permissions: [] }).get(child)).toBe("stopped")
  expect(sessionStatus(sessions.find(({ id }) => id === child) ?? host.session, null)).toBe("stopped")
  const { items } = await host.messages()
  const call = items.flatMap(({ parts }) => parts).find((part) => part.type === "tool")
  expect(call?.type === "tool" && callStatus(call)).toBe("stopped")
  expect(items.at(-1)?.parts.find((part) => part.type === "text")).toMatchObject({
    text: expect.stringContaining("the user rejected a call"),
  })
})

test("a task records its failed calls and its waits for people", async () => {
  await using host = await scriptedRuntime(
    (options) => {
      const results = toolResults(options)
      if (lastUserText(options) !== "dig") {
        const input = { description: "work", prompt: "dig", subagent_type: "general" }
        return results.length > 0 ? answer("end") : answer("", { tool: "task", input })
      }
      if (results.length === 0) return answer("", { tool: "read", input: { filePath: "gone.txt" } })
      if (results.length === 1) return answer("", { tool: "list", input: {} })
      if (results.length === 2) return answer("", { tool: "bash", input: { command: "false", description: "Nothing" } })
      return answer("dug")
    },
    { config: { permission: { bash: "ask" } } },
  )
  const turn = host.prompt("Start")
  const asked = await host.until(({ type }) => type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("nothing was asked")
  await host.runtime.permission.reply(asked.properties.request.id, "once")
  await turn
  const [task] = await host.runtime.task.list(host.session.id)
  expect(task?.state).toBe("completed")
  expect(task?.calls).toEqual(["error", "completed", "error"])
  expect(task?.moments?.map(({ kind }) => kind)).toEqual(["error", "wait", "error"])
  const wait = task?.moments?.[1]
  expect(wait?.from).toBe(asked.properties.request.time.created)
  expect(wait?.until).toBeGreaterThanOrEqual(wait?.from ?? Number.NaN)
  const by = expect.objectContaining({ person: expect.any(String) })
  expect(wait?.answer).toEqual({ status: "once", asked: "false", by })
})
