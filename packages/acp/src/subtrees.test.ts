import { expect, test } from "vitest"
import { type Act, runAgent } from "./test/run-agent.ts"

/** A frame that says something of a conversation; `$own` is the agent's own. */
const update = (sessionId: string, change: object): Act => ({
  frame: { method: "session/update", params: { sessionId, update: change } },
})
const told = (parent: string, child: string, change: object) =>
  update(parent, { sessionUpdate: "subagent_update", sessionId: child, ...change })
const say = (session: string, text: string) =>
  update(session, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } })
const command = (id: string, text: string, more: object = {}) => ({
  ...{ toolCallId: id, title: text, kind: "execute", rawInput: { command: text } },
  ...more,
})
const running = { state: { state: "running" } }
const idle = { state: { state: "idle", stopReason: "end_turn" } }

type Run = Awaited<ReturnType<typeof runAgent>>

/** The sessions below the root, nearest first, with their tasks and what was said in them. */
async function below({ run }: Run) {
  const sessions = (await run.store.session.tree(run.session.id)).filter(({ parentID }) => parentID !== null)
  return Promise.all(
    sessions
      .toSorted((one, other) => one.depth - other.depth || one.time.created - other.time.created)
      .map(async ({ id, depth, parentID }) => {
        const { items } = await run.messages(id)
        const said = items.flatMap(({ info, parts }) =>
          parts.flatMap((part) => {
            if (part.type === "text") return [`${info.role}: ${part.text}`]
            return part.type === "tool" ? [`${part.tool}, ${part.state.status}`] : []
          }),
        )
        const task = await run.store.task.byChild(id)
        const above = sessions.findIndex((one) => one.id === parentID)
        return { id, depth, above, said, state: task?.state, result: task?.result, task }
      }),
  )
}

const launch = { description: "Look", prompt: "Look closely", subagent_type: "explorer" }
const asClaude = (change: object, claudeCode: object) =>
  update("$own", { ...change, _meta: { claudeCode }, sessionUpdate: "tool_call_update" })
const nested = (id: string, text: string, change: object = {}) =>
  asClaude({ ...command(id, text), ...change }, { toolName: "Bash", parentToolUseId: "call_1" })
const node = { runId: "b", sessionId: "b", rootSessionId: "$own", parentSessionId: "$own", cwd: "/work" }
const nodes = (change: object): Act => ({
  frame: {
    method: "_opencode/subagents/update",
    params: { generation: "1", revision: 1, upsert: [{ ...node, ...change }], removedSessionIds: [] },
  },
})

const forms: { form: string; able?: string; acts: Act[]; said: string[]; result: unknown }[] = [
  {
    form: "the protocol's form",
    acts: [
      told("$own", "b", { title: "Look", ...running }),
      update("$own", {
        ...{ sessionUpdate: "session_message", messageId: "m" },
        ...{ senderSessionId: "$own", recipientSessionId: "b" },
        content: [{ type: "text", text: "Look closely" }],
      }),
      say("b", "I look."),
      update("b", { sessionUpdate: "tool_call", ...command("1", "ls"), status: "completed" }),
      say("b", "I saw."),
      told("$own", "b", idle),
    ],
    said: ["user: Look closely", "assistant: I look.", "bash, completed", "assistant: I saw."],
    result: "I saw.",
  },
  {
    form: "the draft before it",
    acts: [
      update("$own", {
        ...{ sessionUpdate: "subagent_spawned", subagentSessionId: "b", name: "explorer", task: "Look" },
        ...{ prompt: "Look closely", capabilities: {} },
      }),
      say("b", "I saw."),
      update("$own", { sessionUpdate: "subagent_state_update", subagentSessionId: "b", state: "completed" }),
    ],
    said: ["user: Look closely", "assistant: I saw."],
    result: "I saw.",
  },
  {
    form: "OpenCode's form",
    able: "tree",
    // The agent answers `session/load` with what was said before.
    acts: [nodes({ title: "Look", phase: "running" }), { until: "loaded b" }, nodes({ phase: "completed" })],
    said: ["user: Look", "assistant: All of this was said before."],
    result: "All of this was said before.",
  },
  {
    form: "calls inside a call",
    acts: [
      asClaude({ toolCallId: "call_1", title: "Task", rawInput: launch }, { toolName: "Task" }),
      nested("1", "ls", { status: "completed" }),
      asClaude({ toolCallId: "call_1", status: "completed" }, { toolName: "Task" }),
    ],
    said: ["user: Look closely", "bash, completed"],
    result: expect.stringContaining("without a text answer"),
  },
]

test.for(forms)("a subagent told in $form is a child", async ({ acts, able = "", said, result }) => {
  const started = await runAgent({ able })
  await started.delegate([...acts, { say: "All is done." }])
  const [own, inner] = await below(started)
  expect(own).toMatchObject({ depth: 1, state: "completed", result: "All is done." })
  expect(own?.said).toContain("task, completed")
  expect(inner).toMatchObject({ depth: 2, above: 0, said, state: "completed", result })
  expect(inner?.task).toMatchObject({ agent: "helper", description: "Look", parentID: own?.id })
  expect(started.run.errors).toEqual([])
})

test("what a subagent asks is a request of its own session", async () => {
  const started = await runAgent({ permission: { "*": "allow", bash: "ask" } })
  const { run, noted } = started
  const turn = started.delegate([
    told("$own", "b", { title: "Look", ...running }),
    { ask: command("1", "npm test", { session: "b" }) },
    told("$own", "b", idle),
  ])
  const event = await run.until((item) => item.type === "permission.asked")
  if (event.type !== "permission.asked") throw new Error("It is another event.")
  const { request } = event.properties
  const [, inner] = await below(started)
  expect(request).toMatchObject({ permission: "bash", patterns: ["npm test"], sessionID: inner?.id })
  await run.runtime.permission.reply(request.id, "once")
  await turn
  expect(await noted()).toContainEqual({ outcome: "option-allow_once" })
  expect((await below(started)).map(({ state }) => state)).toEqual(["completed", "completed"])
})

test("a cancelled child is cancelled in its agent, which goes on", async () => {
  const started = await runAgent()
  const { run } = started
  const turn = started.delegate([
    told("$own", "b", { title: "Look", capabilities: { cancel: {} }, ...running }),
    say("b", "I look."),
    { until: "cancel b" },
    { say: "I go on." },
  ])
  await run.until((item) => item.type === "message.part.delta" && item.properties.text.includes("I look."))
  const [, inner] = await below(started)
  await run.servicesOf({ person: "local", workspace: "local" }).task.cancel(inner?.task?.id ?? "")
  await turn
  const [own, cancelled] = await below(started)
  expect(cancelled).toMatchObject({ state: "cancelled" })
  expect(own).toMatchObject({ state: "completed", result: "I go on." })
})

test("a child fails when its agent dies", async () => {
  const started = await runAgent()
  await started.delegate([
    told("$own", "b", { title: "Look", ...running }),
    say("b", "I look."),
    { call: command("1", "ls", { status: "completed" }) },
    { die: true },
  ])
  const [own, inner] = await below(started)
  expect(own).toMatchObject({ state: "failed" })
  expect(inner).toMatchObject({ state: "failed", said: ["user: Look", "assistant: I look."] })
  expect(inner?.task?.error?.message).toContain("SIGKILL")
})

test("a child without an end ends with the answer above it", async () => {
  const started = await runAgent()
  await started.delegate([told("$own", "b", { title: "Look", ...running }), say("b", "I look."), { say: "Done." }])
  expect((await below(started)).map(({ state }) => state)).toEqual(["completed", "completed"])
})

test("agents are told that their subagents are wanted", async () => {
  const started = await runAgent()
  await started.delegate([{ say: "Done." }])
  const [{ initialize } = {}] = await started.noted()
  expect(initialize).toMatchObject({ subagents: {} })
})
