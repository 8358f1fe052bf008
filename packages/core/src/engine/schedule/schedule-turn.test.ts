import { expect, test } from "vitest"
import type { ScheduleRun } from "../../ground/schema/index.ts"
import { answer, lastUserText, type ScriptedRuntime, scriptedRuntime } from "../../test/scripted-runtime.ts"

/** The run once it has ended; its last event is on the feed of other events. */
async function ended(host: ScriptedRuntime, ref: string | number): Promise<ScheduleRun> {
  const stop = new AbortController()
  const feed = host.runtime.feed({ others: true }, stop.signal)
  const done = async () => (await host.runtime.schedule.runs({ ref })).find(({ status }) => status !== "running")
  for await (const event of feed) {
    if (event.type !== "schedule.run.updated") continue
    const run = await done()
    if (run !== undefined) return run
  }
  throw new Error("the feed ended")
}

test("a run prompts a new titled session and keeps the answer", async () => {
  const seen: string[] = []
  await using host = await scriptedRuntime((options) => {
    seen.push(lastUserText(options))
    return answer("The deploy is fine.")
  })
  const { projectID } = host.session
  const { id } = await host.runtime.schedule.create({ projectID, when: "daily at 09:00", message: "Check the deploy" })
  const run = ended(host, id)
  const started = await host.runtime.schedule.runNow(id)
  expect(await run).toMatchObject({ id: started.id, status: "succeeded", summary: "The deploy is fine.", error: null })
  const session = await host.runtime.session.get(started.sessionID ?? "")
  expect(session).toMatchObject({ projectID, title: "daily at 09:00: Check the deploy" })
  expect(seen).toEqual(["Check the deploy"])
  expect(host.errors).toEqual([])
})

test("a due schedule prompts its session by itself", async () => {
  await using host = await scriptedRuntime(() => answer("Looked."))
  const { id: sessionID, projectID } = host.session
  await host.runtime.schedule.create({ projectID, sessionID, when: "in 0 minutes", message: "Look" })
  await host.until((event) => event.type === "turn.updated" && event.properties.turn.status === "completed")
  expect(await host.runtime.schedule.get(1)).toMatchObject({ status: "completed", runCount: 1 })
  const { items } = await host.messages()
  expect(items[0]?.parts).toMatchObject([{ text: "Look" }])
})

test("a run completes the todos that a conversation left open", async () => {
  const lists: string[] = []
  await using host = await scriptedRuntime((options) => {
    const told = lastUserText(options)
    if (told.includes("END TOOL RESULTS")) lists.push(told)
    if (told.startsWith("Work")) return answer("/todo list")
    return lists.length === 1 && told.includes("#1")
      ? answer("/todo start 1\n/todo done 1\n/todo done 2")
      : answer("Both are done.")
  })
  const { id: sessionID, projectID } = host.session
  const by = { actor: { kind: "user", name: "Ada" } } as const
  await host.runtime.todo.create({ sessionID: null, content: "file the ticket" }, by)
  await host.runtime.todo.create({ sessionID, content: "review the canary" }, by)
  const { id } = await host.runtime.schedule.create({ projectID, when: "hourly", message: "Work on what is open" })
  const run = ended(host, id)
  await host.runtime.schedule.runNow(id)
  expect(await run).toMatchObject({ status: "succeeded", summary: "Both are done." })
  // A new session sees the items of everyone; it knows the item of the other conversation only by its number.
  expect(lists[0]).toContain("1 open (0 in progress, 1 pending):\n#1 [pending] file the ticket (tenant-wide)")
  for (const number of [1, 2]) expect((await host.runtime.todo.get(number)).status).toBe("completed")
  const history = await host.runtime.todo.history({ todoID: (await host.runtime.todo.get(1)).id })
  expect(history.map(({ actor, after }) => [actor.name, after?.status])).toEqual([
    ["build", "completed"],
    ["build", "in_progress"],
    ["Ada", "pending"],
  ])
  expect(host.errors).toEqual([])
})

test("an unknown agent, session or project is refused", async () => {
  await using host = await scriptedRuntime(() => answer(""))
  const { id: sessionID, projectID } = host.session
  const { schedule } = host.runtime
  const plan = { projectID, when: "hourly", message: "Look" }
  await expect(schedule.create({ ...plan, agent: "nobody" })).rejects.toMatchObject({ code: "agent_not_found" })
  await expect(schedule.create({ ...plan, sessionID: `${sessionID}x` })).rejects.toMatchObject({
    code: "session_not_found",
  })
  await expect(schedule.create({ ...plan, projectID: "prj_x" })).rejects.toMatchObject({ code: "project_not_found" })
  expect(await schedule.list(projectID)).toEqual([])
})

test("a schedule whose session was removed says why its run failed", async () => {
  await using host = await scriptedRuntime(() => answer(""))
  const { projectID } = host.session
  const { id: sessionID } = await host.runtime.session.create({ projectID })
  const { id } = await host.runtime.schedule.create({ projectID, sessionID, when: "hourly", message: "Look" })
  await host.runtime.session.remove(sessionID)
  expect(await host.runtime.schedule.runNow(id)).toMatchObject({
    status: "failed",
    error: expect.stringContaining(sessionID),
  })
})

test("an agent schedules and remembers by inline commands; its child sees memory", async () => {
  const seen: string[] = []
  await using host = await scriptedRuntime((options) => {
    const text = lastUserText(options)
    seen.push(text)
    if (text === "Plan it") {
      return answer("/mem add entry project Uses pnpm\nNot npm.\n/endmem\n/schedule every monday at 08:00: Update it\n")
    }
    if (text.endsWith("[END TOOL RESULTS]") && seen.length === 2) {
      return answer("", { tool: "task", input: { subagent_type: "explore", prompt: "Dig", description: "dig" } })
    }
    return answer("Done.")
  })
  await host.prompt("Plan it")
  expect(seen[1]).toContain("OK: added #1 — Uses pnpm")
  expect(seen[1]).toContain("OK: scheduled #1 — every monday at 08:00 (next ")
  const [task] = await host.runtime.task.list(host.session.id)
  const { items } = await host.messages(task?.sessionID)
  expect(items[0]?.parts[0]).toMatchObject({
    text: expect.stringMatching(/Pipeline memory .*:\n- #1 \[project\] Uses pnpm — build\n/),
  })
  expect(await host.runtime.schedule.get(1)).toMatchObject({ sessionID: host.session.id, cron: "0 8 * * 1" })
  expect(host.errors).toEqual([])
})

test("inline commands of an agent need permission as its tool calls do", async () => {
  const seen: string[] = []
  const config = { permission: { memory: { add: "deny" }, schedule: "deny" } }
  await using host = await scriptedRuntime(
    (options) => {
      seen.push(lastUserText(options))
      return answer(
        seen.length === 1 ? "/mem add entry user Name\nAda\n/endmem\n/schedule hourly: Look\n/mem list" : "Ok.",
      )
    },
    { config },
  )
  await host.prompt("Go")
  expect(seen[1]?.match(/^ERR: /gm)).toHaveLength(2)
  expect(seen[1]).toContain("(no memory entries)")
  expect(await host.runtime.schedule.list()).toEqual([])
  expect(host.errors).toEqual([])
})
