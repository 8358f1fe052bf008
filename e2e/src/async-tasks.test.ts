import type { DocketEvent, TaskSummary } from "@docket/core/schema"
import { createGate, createMeeting, type Gate } from "./fixtures/gate.ts"
import type { Answer } from "./fixtures/scripted-model.ts"
import {
  expect,
  isEnded,
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

const prompt = "Ask three researchers"
const fanOut: NonNullable<Answer["calls"]> = [
  launch("explore", "Research alpha"),
  launch("general", "Research beta"),
  launch("explore", "Research gamma"),
]
const gather = (until: "all" | "any" | number, wait_ms = 300_000): Answer => ({
  calls: [{ tool: "async_task_gather", args: { task_ids: ["1", "2", "3"], until, wait_ms } }],
})
/** The answers of a child that works in two steps. */
const research = (text: string, gate?: Gate): Answer[] => [
  { calls: [{ tool: "glob", args: { pattern: "**/*.js" } }], ...(gate && { gate }) },
  { text, ...(gate && { gate }) },
]
/** A gather that waits: the tasks that end from now on are told by it. */
const isGathering = (event: DocketEvent) =>
  event.type === "message.part.updated" &&
  event.properties.part.type === "tool" &&
  event.properties.part.tool === "async_task_gather" &&
  event.properties.part.state.status === "running"
/** Answers the notice of an ended task, which says “Take the outcome into account”. */
const heard: Answer[] = [{ text: "Heard." }]

test("three children of two agents work side by side and are gathered", async ({ client, model, projectID }) => {
  // The model answers only when all three children have asked.
  const all = createMeeting(3)
  model.script({
    [prompt]: [{ calls: fanOut }, gather("all"), { text: "Alpha, beta and gamma are known." }],
    "Research alpha": research("alpha is in src", all),
    "Research beta": research("beta is in test", all),
    "Research gamma": research("gamma is nowhere", all),
  })
  const sessionID = await startSession(client, projectID, prompt)
  const log = followTree(client, sessionID)
  expect(await log.turnEnd(sessionID)).toBe("completed")
  await settled(client, sessionID)
  log.close()

  for (const output of await outputsOf(client, sessionID, "async_task"))
    expect(output).toMatch(/^task_id: ses_\w+\nagent: (explore|general)\ndescription: Research \w+\nstatus: launched\n/)
  const [gathered] = await outputsOf(client, sessionID, "async_task_gather")
  expect(gathered).toMatch(/^gathered: 3 of 3\n/)
  for (const found of ["alpha is in src", "beta is in test", "gamma is nowhere"])
    expect(gathered).toContain(`<task_result>\n${found}\n</task_result>`)
  expect((await textsOf(client, sessionID, "assistant")).at(-1)).toBe("Alpha, beta and gamma are known.")

  const tasks = Object.values(await tasksOf(client, sessionID))
  expect(tasks.map((task) => [task.state, task.delivered])).toEqual(Array(3).fill(["completed", "poll"]))
  expect(await noticesOf(client, sessionID)).toEqual([])
  expectOverlap(log.events)
})

test("gathering any returns with the first; the others notify their end later", async ({
  client,
  model,
  projectID,
}) => {
  const gate = createGate()
  model.script({
    "Take the outcome into account": heard,
    [prompt]: [{ calls: fanOut }, gather("any"), { text: "One is enough." }],
    "Research alpha": [{ text: "alpha first" }],
    "Research beta": [{ text: "beta later", gate }],
    "Research gamma": [{ text: "gamma later", gate }],
  })
  const sessionID = await startSession(client, projectID, prompt)
  const log = followTree(client, sessionID)
  expect(await log.turnEnd(sessionID)).toBe("completed")
  log.close()
  const [gathered = ""] = await outputsOf(client, sessionID, "async_task_gather")
  expect(gathered).toMatch(/^gathered: 1 of 3\n/)
  expect(gathered).toContain("<task_result>\nalpha first\n</task_result>")
  expect(gathered.match(/status: running/g)).toHaveLength(2)
  gate.open()
  await settled(client, sessionID)
  const told = (await noticesOf(client, sessionID)).join("\n")
  // Each is told exactly once.
  for (const late of ["beta later", "gamma later"]) expect(told.split(late)).toHaveLength(2)
  expect(told).not.toContain("alpha first")
  const tasks = await tasksOf(client, sessionID)
  expect(tasks["Research alpha"]?.delivered).toBe("poll")
  expect(tasks["Research beta"]?.delivered).toBe("turn")
})

test("a failed, a timed-out and a cancelled child leave the others alone", async ({ client, model, projectID }) => {
  const gate = createGate()
  const gathering = createGate()
  model.script({
    [prompt]: [
      {
        calls: [
          launch("explore", "Research alpha"),
          launch("general", "Research beta", { timeout: 8_000 }),
          launch("explore", "Research gamma"),
          launch("general", "Research delta"),
        ],
      },
      { calls: [{ tool: "async_task_cancel", args: { task_id: "#3" } }] },
      {
        calls: [{ tool: "async_task_gather", args: { task_ids: ["1", "2", "3", "4"], until: "all", wait_ms: 30_000 } }],
      },
      { text: "One of four answered." },
    ],
    "Research alpha": [
      { text: "I begin.", calls: [{ tool: "glob", args: { pattern: "*" } }] },
      { failure: { status: 400, message: "the context is too strange" }, gate: gathering },
    ],
    "Research beta": [{ text: "never", gate }],
    "Research gamma": [{ text: "never", gate }],
    "Research delta": research("delta is fine", gathering),
  })
  const sessionID = await startSession(client, projectID, prompt)
  const log = followTree(client, sessionID)
  await log.find(isGathering)
  gathering.open()
  expect(await log.turnEnd(sessionID)).toBe("completed")
  await settled(client, sessionID)
  log.close()

  const tasks = Object.values(await tasksOf(client, sessionID))
  const third = tasks.find((task) => task.number === 3)
  expect(third).toMatchObject({ state: "cancelled", error: { type: "cancelled" }, delivered: "poll" })
  const byName = await tasksOf(client, sessionID)
  expect(byName["Research alpha"]).toMatchObject({ state: "failed", result: "I begin." })
  expect(byName["Research beta"]).toMatchObject({ state: "timed_out", error: { type: "limit_reached" } })
  expect(byName["Research delta"]).toMatchObject({ state: "completed" })
  const [cancelled] = await outputsOf(client, sessionID, "async_task_cancel")
  expect(cancelled).toContain("error_type: cancelled")
  const [gathered] = await outputsOf(client, sessionID, "async_task_gather")
  expect(gathered).toContain("the context is too strange\n\n<partial_result>\nI begin.\n</partial_result>")
  expect(gathered).toContain("The task reached its time limit of 8 s.")
  expect(gathered).toContain("<task_result>\ndelta is fine\n</task_result>")
  expect(await noticesOf(client, sessionID)).toEqual([])
  gate.open()
})

test("stopping the parent ends its children for good, without later notices", async ({ client, model, projectID }) => {
  const gate = createGate()
  model.script({
    [prompt]: [{ calls: fanOut }, gather("all")],
    "Research alpha": [{ text: "never", gate }],
    "Research beta": [{ text: "never", gate }],
    "Research gamma": [{ text: "never", gate }],
    "Carry on": [{ text: "All right." }],
  })
  const sessionID = await startSession(client, projectID, prompt)
  const log = followTree(client, sessionID)
  await log.find(isGathering)
  await client.session.abort.mutate({ sessionID })
  const tree = await client.session.tree.query({ sessionID })
  expect(tree.tasks.map((task) => task.state)).toEqual(["cancelled", "cancelled", "cancelled"])
  expect(tree.sessions.map((session) => session.status.type)).toEqual(Array(4).fill("idle"))
  expect(tree.turns).toEqual([])
  await client.session.prompt.mutate({ sessionID, parts: [{ type: "text", text: "Carry on" }] })
  log.close()
  expect(await noticesOf(client, sessionID)).toEqual([])
  expect((await textsOf(client, sessionID, "assistant")).at(-1)).toBe("All right.")
  gate.open()
})

test("a provider that refuses at launch fails that call; the others continue", async ({ client, model, projectID }) => {
  const gathering = createGate()
  model.script({
    [prompt]: [{ calls: fanOut }, gather("all"), { text: "Two of three." }],
    "Research alpha": research("alpha", gathering),
    "Research beta": [{ failure: { status: 401, message: "the key is not valid" } }],
    "Research gamma": research("gamma", gathering),
  })
  const sessionID = await startSession(client, projectID, prompt)
  const log = followTree(client, sessionID)
  await log.find(isGathering)
  gathering.open()
  expect(await log.turnEnd(sessionID)).toBe("completed")
  await settled(client, sessionID)
  log.close()
  const outputs = await outputsOf(client, sessionID, "async_task")
  const refused = outputs.filter((output) => !output.includes("status: launched"))
  expect(refused).toHaveLength(1)
  expect(refused[0]).toContain("The task could not be started:")
  expect(refused[0]).not.toContain("task_id:")
  const tasks = await tasksOf(client, sessionID)
  expect(tasks["Research beta"]).toMatchObject({ state: "failed", error: { type: "ProviderAuthError" } })
  expect(tasks["Research alpha"]?.state).toBe("completed")
  expect(tasks["Research gamma"]?.state).toBe("completed")
  expect(await noticesOf(client, sessionID)).toEqual([])
})

/** Checks that every task ran before any of them ended. */
function expectOverlap(events: DocketEvent[]): void {
  const changes = events.flatMap((event, index) =>
    event.type === "task.updated" ? [{ index, task: event.properties.task }] : [],
  )
  const firsts = (fits: (task: TaskSummary) => boolean) =>
    [...new Set(changes.map(({ task }) => task.id))].map(
      (id) => changes.find(({ task }) => task.id === id && fits(task))?.index ?? Number.NaN,
    )
  const starts = firsts((task) => task.state === "running")
  expect(starts).toHaveLength(3)
  expect(Math.max(...starts)).toBeLessThan(Math.min(...firsts(isEnded)))
}
