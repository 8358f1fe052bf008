import type { DocketEvent } from "@docket/core/schema"
import { createGate } from "./fixtures/gate.ts"
import { modelConfig } from "./fixtures/model-config.ts"
import { findProcess, ownSeconds, waitForProcess } from "./fixtures/processes.ts"
import type { Answer } from "./fixtures/scripted-model.ts"
import {
  expect,
  launch,
  noticesOf,
  outputsOf,
  settled,
  startSession,
  tasksOf,
  test,
  textsOf,
} from "./fixtures/service-test.ts"
import { followTree } from "./fixtures/tree-log.ts"

// Delegation in edge cases: foreign ids, bounds, limits, and stops in the middle.

const call = (tool: string, args: Record<string, unknown>): Answer => ({ calls: [{ tool, args }] })
/** Starts a child and waits for its result. */
const wait = (agent: string, prompt: string, more: Record<string, unknown> = {}): Answer =>
  call("task", { subagent_type: agent, prompt, description: prompt, ...more })
/** Answers the notices of ended tasks, which say “Take the outcome into account”. */
const heard: Answer[] = [{ text: "Heard." }, { text: "Heard." }]

test("foreign, unknown and non-task ids are refused and create nothing", async ({ client, model, projectID }) => {
  model.script({ "Have a child": [wait("explore", "Look once"), { text: "Seen." }], "Look once": [{ text: "one" }] })
  const other = await startSession(client, projectID, "Have a child")
  await settled(client, other)
  const foreign = (await tasksOf(client, other))["Look once"]
  const ids = [foreign?.sessionID ?? "", foreign?.id ?? "", other, "ses_nobody", "../../etc"]
  model.script({
    "Use what is theirs": [
      ...ids.map((task_id) => wait("explore", "Go on", { task_id })),
      ...[...ids, "1", "#1", "0"].map((task_id) => call("async_task_result", { task_id })),
      ...ids.map((task_id) => call("async_task_cancel", { task_id })),
      ...ids.map((task_id) => call("task_message", { task_id, message: "hello" })),
      { text: "Nothing of it." },
    ],
  })
  const before = await client.session.messages.query({ sessionID: foreign?.sessionID ?? "" })
  const sessionID = await startSession(client, projectID, "Use what is theirs")
  await settled(client, sessionID)
  expect((await textsOf(client, sessionID, "assistant")).at(-1)).toBe("Nothing of it.")
  for (const output of await outputsOf(client, sessionID, "task")) expect(output).toContain("There is no task ")
  for (const tool of ["async_task_result", "async_task_cancel", "task_message"])
    for (const output of await outputsOf(client, sessionID, tool)) expect(output).toContain("Session not found.")
  expect(await client.session.children.query({ sessionID })).toEqual([])
  expect(await client.session.messages.query({ sessionID: foreign?.sessionID ?? "" })).toEqual(before)
})

test("results are read by number, gathered in part, waited for within bounds", async ({ client, model, projectID }) => {
  const gate = createGate()
  model.script({
    "Take the outcome into account": heard,
    "Ask three": [
      { calls: [launch("explore", "Answer a"), launch("explore", "Answer b"), launch("explore", "Answer c")] },
      call("async_task_gather", { task_ids: ["1", "#2", "3", "77"], until: 2 }),
      call("async_task_gather", { task_ids: ["3", "3"], until: 2, wait_ms: 0 }),
      call("async_task_result", { task_id: "#2", wait_ms: 300_000 }),
      call("async_task_result", { task_id: "3", wait_ms: 300_001 }),
      call("async_task_result", { task_id: "3", wait_ms: -1 }),
      call("async_task_result", { task_id: "3", wait_ms: 0.5 }),
      call("async_task_gather", { task_ids: ["3"], until: 0 }),
      call("async_task_gather", { task_ids: [] }),
      call("async_task_result", { task_id: "3", wait_ms: 1 }),
      { text: "Enough." },
    ],
    "Answer a": [{ text: "a" }],
    "Answer b": [{ text: "b" }],
    "Answer c": [{ text: "c", gate }],
  })
  const sessionID = await startSession(client, projectID, "Ask three")
  const log = followTree(client, sessionID)
  expect(await log.turnEnd(sessionID)).toBe("completed")
  log.close()
  const [two = "", twice = "", zero = "", none = ""] = await outputsOf(client, sessionID, "async_task_gather")
  expect(two).toMatch(/^gathered: 2 of 4\n/)
  expect(two).toContain("<task_result>\na\n</task_result>")
  expect(two).toContain("<task_result>\nb\n</task_result>")
  expect(two).toContain("task_id: 77\n\nSession not found.")
  expect(twice).toMatch(/^gathered: 0 of 2\n/)
  for (const refused of [zero, none]) expect(refused).not.toContain("gathered:")
  const [second, ...rest] = await outputsOf(client, sessionID, "async_task_result")
  expect(second).toContain("status: complete")
  for (const refused of rest.slice(0, 3)) expect(refused).not.toContain("status:")
  expect(rest[3]).toContain("status: running")
  gate.open()
  await settled(client, sessionID)
  const told = await noticesOf(client, sessionID)
  expect(told).toHaveLength(1)
  expect(told[0]).toContain("Task #3 ")
})

test.describe("with little room", () => {
  test.override({
    config: {
      delegation: { envelope: false, concurrency: 1, depth: 2, tool_calls: 50, tokens: 900_000 },
      permission: "allow",
      agent: {
        general: { permission: { "*": "allow", task: "allow", async_task: "allow" } },
        explore: { limits: { tokens: 2_000 } },
      },
    },
  })

  test("the depth limit fails the call; an agent's stricter limit wins", async ({ client, model, projectID }) => {
    model.script({
      "Go down": [wait("general", "One below"), wait("explore", "Read and read"), { text: "Up again." }],
      "One below": [wait("general", "Two below"), { text: "One is up." }],
      "Two below": [wait("explore", "Three below"), { text: "Two is up." }],
      "Read and read": [
        { text: "First.", ...call("glob", { pattern: "*" }) },
        { text: "Second.", ...call("bash", { command: "touch ran.txt" }) },
        { text: "Third." },
      ],
    })
    const sessionID = await startSession(client, projectID, "Go down")
    await settled(client, sessionID)
    const tasks = await tasksOf(client, sessionID)
    const [refused] = await outputsOf(client, tasks["Two below"]?.sessionID ?? "", "task")
    expect(refused).toContain("nested 2 deep")
    expect(tasks["Two below"]).toMatchObject({ state: "completed", limits: { tokens: expect.any(Number) } })
    expect(tasks["Three below"]).toBeUndefined()
    // Two answers of 1,280 tokens each: the second reaches the limit, its call still runs, and there is no third
    // answer.
    expect(tasks["Read and read"]).toMatchObject({
      state: "failed",
      error: { type: "limit_reached" },
      result: "Second.",
      limits: { tokens: 2_000, toolCalls: 50 },
    })
    expect(tasks["One below"]?.limits.tokens).toBe(900_000)
    const [, told] = await outputsOf(client, sessionID, "task")
    expect(told).toContain("limit of 2000 tokens")
    expect(told).toContain("<partial_result>\nSecond.\n</partial_result>")
  })

  test("each parent's queue is first in, first out, whatever other parents do", async ({
    client,
    model,
    projectID,
  }) => {
    const children = (name: string) => [1, 2, 3].map((n) => launch("explore", `Leaf ${name}${n}`))
    const all = (count: number) =>
      call("async_task_gather", { task_ids: Array.from({ length: count }, (_, n) => `${n + 1}`), until: "all" })
    const quick: Answer[] = [{ text: "done" }]
    model.script({
      "Take the outcome into account": heard,
      "Two trees": [
        { calls: [launch("general", "Branch x"), launch("general", "Branch y")] },
        all(2),
        { text: "All." },
      ],
      "Branch x": [{ calls: children("x") }, { text: "x" }],
      "Branch y": [{ calls: children("y") }, { text: "y" }],
      ...Object.fromEntries(["x", "y"].flatMap((b) => [1, 2, 3].map((n) => [`Leaf ${b}${n}`, quick]))),
    })
    const sessionID = await startSession(client, projectID, "Two trees")
    const log = followTree(client, sessionID)
    await log.turnEnd(sessionID)
    await settled(client, sessionID)
    log.close()
    const started = startsOf(log.events)
    for (const branch of ["x", "y"]) {
      const own = started.filter((name) => name.startsWith(`Leaf ${branch}`))
      expect(own).toEqual([1, 2, 3].map((n) => `Leaf ${branch}${n}`))
    }
    expect(started.filter((name) => name.startsWith("Branch"))).toEqual(["Branch x", "Branch y"])
    const states = Object.values(await tasksOf(client, sessionID)).map((task) => task.state)
    expect(states).toEqual(Array(8).fill("completed"))
  })
})

test("a background child ends when its parent is stopped", async ({ client, model, projectID }) => {
  const gate = createGate()
  model.script({
    "Start and stop": [wait("explore", "Hang on"), { text: "I go on.", gate }],
    "Hang on": [{ text: "never", gate }],
  })
  const sessionID = await startSession(client, projectID, "Start and stop")
  const log = followTree(client, sessionID)
  const running = await log.find((event) => event.type === "task.updated" && event.properties.task.state === "running")
  if (running.type !== "task.updated") throw new Error("no task")
  await client.task.background.mutate({ taskID: running.properties.task.id })
  await log.find(
    (event) =>
      event.type === "message.part.updated" &&
      event.properties.part.type === "tool" &&
      event.properties.part.state.status === "completed",
  )
  await client.session.abort.mutate({ sessionID })
  log.close()
  const task = (await tasksOf(client, sessionID))["Hang on"]
  expect(task).toMatchObject({ state: "cancelled", mode: "background" })
  await settled(client, sessionID)
  expect(await noticesOf(client, sessionID)).toEqual([])
  gate.open()
})

test("an output schema is repaired twice, then fails; long answers become files", async ({
  client,
  model,
  projectID,
}) => {
  const output_schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] }
  const long = `${"字".repeat(7_000)}END`
  model.script({
    "Want structure": [
      wait("explore", "Count well", { output_schema }),
      wait("explore", "Count badly", { output_schema }),
      wait("explore", "Write long"),
      { text: "Done." },
    ],
    "Count well": [{ text: "about three" }, { text: '{"n": 3}' }],
    "Count badly": [{ text: "many" }, { text: "three" }, { text: '{"n": "many"}' }, { text: "not asked for" }],
    "Write long": [{ text: long }],
  })
  const sessionID = await startSession(client, projectID, "Want structure")
  await settled(client, sessionID)
  const tasks = await tasksOf(client, sessionID)
  const well = await client.task.get.query({ taskID: tasks["Count well"]?.id ?? "" })
  expect(well).toMatchObject({ state: "completed", output: { n: 3 } })
  expect(tasks["Count badly"]).toMatchObject({
    state: "failed",
    error: { type: "output_invalid" },
    result: '{"n": "many"}',
  })
  expect(await textsOf(client, tasks["Count badly"]?.sessionID ?? "", "assistant")).toHaveLength(3)
  const [, , answer = ""] = await outputsOf(client, sessionID, "task")
  expect(answer).toContain(`bytes left out; the whole answer is in ${tasks["Write long"]?.resultPath}.`)
  expect(answer).toContain("字END")
  expect(answer).not.toContain("\uFFFD")
})

test.describe("with a command that needs permission", () => {
  test.override({ config: { delegation: { envelope: false }, agent: { explore: { permission: { bash: "ask" } } } } })

  test("a child's request expires when its parent is stopped", async ({ client, model, projectID }) => {
    model.script({
      "Ask me": [wait("explore", "Tag it"), { text: "Tagged." }],
      "Tag it": [call("bash", { command: "git tag asked" }), { text: "ok" }],
    })
    const sessionID = await startSession(client, projectID, "Ask me")
    const log = followTree(client, sessionID)
    const asked = await log.find((event) => event.type === "permission.asked")
    if (asked.type !== "permission.asked") throw new Error("no request")
    await client.session.abort.mutate({ sessionID })
    log.close()
    const tree = await client.session.tree.query({ sessionID })
    expect(tree.permissions).toEqual([])
    expect(tree.tasks.map((task) => task.state)).toEqual(["cancelled"])
    expect(tree.sessions.map((session) => session.status.type)).toEqual(["idle", "idle"])
    const late = client.permission.reply.mutate({ requestID: asked.properties.request.id, reply: "once" })
    await expect(late).rejects.toThrow(/Nobody waits for this answer any more/)
  })
})

test.describe("without the sandbox, in which daemons end with their command", () => {
  test.override({ config: { delegation: { envelope: false }, sandbox: { mode: "off" } } })

  test("cancelling a tree ends commands that ignore TERM, and their daemons", async ({ client, model, projectID }) => {
    const seconds = [ownSeconds(86_000), ownSeconds(86_000), ownSeconds(86_000)] as const
    const daemon = `setsid nohup sleep ${seconds[0]} >/dev/null 2>&1 & (( setsid sleep ${seconds[1]} >/dev/null 2>&1 & ) & ); true`
    model.script({
      "Start daemons": [wait("general", "Leave much behind"), { text: "never" }],
      "Leave much behind": [
        call("bash", { command: daemon }),
        call("bash", { command: `trap '' TERM; sleep ${seconds[2]} & wait; wait; sleep ${seconds[2]}` }),
      ],
    })
    const sessionID = await startSession(client, projectID, "Start daemons")
    for (const each of seconds) await waitForProcess(["sleep", each])
    await client.session.abort.mutate({ sessionID })
    for (const each of seconds) expect(await findProcess(["sleep", each])).toEqual([])
  })
})

test.describe("with a limit of time for the whole tree", () => {
  const config = (timeout: number) => ({ delegation: { envelope: false, tree: { timeout } }, permission: "allow" })
  test.override({ config: config(600_000) })

  test("limits end children and root with the reason, also after restarts", async ({
    client,
    model,
    projectID,
    server,
  }) => {
    const gate = createGate()
    model.script({
      "Take the outcome into account": heard,
      "Take too long": [
        { calls: [launch("explore", "Dig for ever")] },
        wait("general", "Dig as well"),
        ...Array.from({ length: 4 }, () => ({ text: "never", gate })),
      ],
      "Dig for ever": [
        { text: "I begin.", ...call("glob", { pattern: "*" }) },
        { text: "never", gate },
      ],
      "Dig as well": [{ text: "never", gate }],
      "Carry on": [{ text: "I carry on." }],
    })
    const sessionID = await startSession(client, projectID, "Take too long")
    await expect.poll(async () => Object.keys(await tasksOf(client, sessionID)).length).toBe(2)
    await server.kill()
    await server.configure(modelConfig(model.url, config(1_000)))
    await server.restart()
    await settled(client, sessionID)
    const tasks = await tasksOf(client, sessionID)
    expect(Object.values(tasks).map((task) => task.state)).toEqual(["interrupted", "interrupted"])
    const { items } = await client.session.messages.query({ sessionID })
    const errors = items.flatMap(({ info }) => (info.role === "assistant" && info.error ? [info.error] : []))
    expect(errors.at(-1)).toMatchObject({ name: "LimitReachedError", message: expect.stringContaining("limit of 1 s") })
    // The worked time is stored a moment after the last work has ended.
    const clock = async () => (await client.session.get.query({ sessionID })).tree
    await expect.poll(clock).toMatchObject({ limits: { wallClock: 1_000 }, since: null })
    expect((await clock())?.worked).toBeGreaterThanOrEqual(1_000)

    await server.configure(modelConfig(model.url, config(600_000)))
    await client.session.prompt.mutate({ sessionID, parts: [{ type: "text", text: "Carry on" }] })
    await settled(client, sessionID)
    // Only now, and only once, the session is notified of the background task.
    expect((await textsOf(client, sessionID, "assistant")).slice(-2)).toEqual(["I carry on.", "Heard."])
    gate.open()
  })
})

/** Descriptions of tasks in the order in which they started. */
function startsOf(events: DocketEvent[]): string[] {
  const names = events.flatMap((event) =>
    event.type === "task.updated" && event.properties.task.state === "running"
      ? [event.properties.task.description]
      : [],
  )
  return [...new Set(names)]
}
