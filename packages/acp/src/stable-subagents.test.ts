import { expect, test } from "vitest"
import { createStableSubagents } from "./stable-subagents.ts"

const update = (sessionId: string, update: object) => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId, update },
})
const told = (sessionId: string, child: string, change: object) =>
  update(sessionId, { sessionUpdate: "subagent_update", sessionId: child, ...change })

test("frames of the stable form and others stay as they are", () => {
  const { translate } = createStableSubagents()
  const frames = [
    told("root", "child", { title: "Look", state: { state: "running" } }),
    update("child", { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello" } }),
    { jsonrpc: "2.0", id: 1, result: { stopReason: "end_turn" } },
    { jsonrpc: "2.0", method: "_auth/status_update", params: {} },
    "no frame",
  ]
  expect(frames.flatMap(translate)).toEqual(frames)
})

test("the draft before the stable form is told in it", () => {
  const { translate } = createStableSubagents()
  const spawned = { subagentSessionId: "child", name: "explorer", task: "Look", capabilities: { cancel: true } }
  expect(translate(update("root", { sessionUpdate: "subagent_spawned", ...spawned, prompt: "Look closely" }))).toEqual([
    told("root", "child", {
      ...{ title: "Look", description: "explorer" },
      ...{ capabilities: { cancel: {} }, state: { state: "running" } },
    }),
    update("child", {
      ...{ sessionUpdate: "session_message", messageId: "child" },
      ...{ senderSessionId: "root", recipientSessionId: "child" },
      content: [{ type: "text", text: "Look closely" }],
    }),
  ])
})

test.for([
  ["completed", "end_turn"],
  ["failed", "error"],
  ["cancelled", "cancelled"],
  ["disconnected", "error"],
  ["never heard of", "error"],
])("the draft's state %s is a stop by %s", ([state, stopReason]) => {
  const { translate } = createStableSubagents()
  const frame = update("root", { sessionUpdate: "subagent_state_update", subagentSessionId: "child", state })
  expect(translate(frame)).toEqual([told("root", "child", { state: { state: "idle", stopReason } })])
})

test("nodes of OpenCode's tree are told as children of their parents", () => {
  const { translate } = createStableSubagents()
  const node = { runId: "b", sessionId: "b", rootSessionId: "a", parentSessionId: "a", cwd: "/work" }
  const known = { cwd: "/work", capabilities: { cancel: {} } }
  const upsert = [
    { runId: "a", sessionId: "a", rootSessionId: "a", phase: "running", cwd: "/work" },
    { ...node, title: "Look", agent: "general", phase: "running" },
    { ...node, phase: "completed" },
    "no node",
  ]
  const frame = {
    jsonrpc: "2.0",
    method: "_opencode/subagents/update",
    params: { generation: "1", revision: 1, upsert },
  }
  expect(translate(frame)).toEqual([
    told("a", "b", { title: "Look", description: "general", ...known, state: { state: "running" } }),
    told("a", "b", { ...known, state: { state: "idle", stopReason: "end_turn" } }),
  ])
})

const agentCall = (change: object, claudeCode: object = {}) =>
  update("root", { ...change, toolCallId: "call_1", _meta: { claudeCode: { toolName: "Agent", ...claudeCode } } })
const inside = { claudeCode: { toolName: "Bash", parentToolUseId: "call_1" } }

test("calls inside a call of Claude Code are told as its child", () => {
  const { translate } = createStableSubagents()
  const rawInput = { description: "Look", prompt: "Look closely", subagent_type: "general-purpose" }
  const begun = agentCall({ sessionUpdate: "tool_call", rawInput: {}, status: "pending" })
  const filled = agentCall({ sessionUpdate: "tool_call_update", rawInput })
  expect([begun, filled].flatMap(translate)).toEqual([begun, filled])

  const call = { sessionUpdate: "tool_call", toolCallId: "call_2", title: "ls", _meta: inside }
  const announced = translate(update("root", call))
  expect(announced).toEqual([
    told("root", "call_1", {
      ...{ title: "Look", description: "general-purpose" },
      ...{ capabilities: null, state: { state: "running" } },
    }),
    expect.objectContaining({ params: expect.objectContaining({ sessionId: "call_1" }) }),
    update("call_1", call),
  ])
  const request = { sessionId: "root", toolCall: { toolCallId: "call_2", _meta: inside }, options: [] }
  expect(translate({ jsonrpc: "2.0", id: 7, method: "session/request_permission", params: request })).toEqual([
    { jsonrpc: "2.0", id: 7, method: "session/request_permission", params: { ...request, sessionId: "call_1" } },
  ])

  const over = agentCall({ sessionUpdate: "tool_call_update", status: "completed" })
  expect(translate(over)).toEqual([told("root", "call_1", { state: { state: "idle", stopReason: "end_turn" } }), over])
})

test("a background child does not end with its call", () => {
  const { translate } = createStableSubagents()
  translate(agentCall({ sessionUpdate: "tool_call", rawInput: { description: "Look" }, status: "pending" }))
  translate(update("root", { sessionUpdate: "tool_call", toolCallId: "call_2", _meta: inside }))
  translate(agentCall({ sessionUpdate: "tool_call_update" }, { toolResponse: { isAsync: true } }))
  const launched = agentCall({ sessionUpdate: "tool_call_update", status: "completed" })
  expect(translate(launched)).toEqual([launched])
})

test("a call inside one that started no subagent stays where it is", () => {
  const { translate } = createStableSubagents()
  const frame = update("root", { sessionUpdate: "tool_call", toolCallId: "call_2", _meta: inside })
  expect(translate(frame)).toEqual([frame])
})
