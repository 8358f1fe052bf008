import { applyEvent, type FeedItem, type Session, type TreeState, treeFromSnapshot } from "@docket/client"
import { expect, it } from "vitest"
import type { EditorCapabilities } from "./editor-capabilities.ts"
import { createTreeUpdates } from "./tree-updates.ts"

const session = (id: string, parentID: string | null, more: Partial<Session> = {}) =>
  ({
    ...{ id, parentID, rootID: "ses_1", depth: parentID === null ? 0 : 1, directory: "/p", title: id, agent: "build" },
    ...{ model: null, cost: 0, status: { type: "idle" }, time: { created: 1, updated: 1, archived: null } },
    ...{ tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } } },
    ...more,
  }) as Session

const root = session("ses_1", null)
const child = session("ses_2", "ses_1", { agent: "general" })
const model = { providerID: "one", modelID: "a" }

/** The updates of an editor that has opened the root, as "session: kind" in order. */
function follow(capabilities: Partial<EditorCapabilities>) {
  let seq = 1
  let tree: TreeState = treeFromSnapshot("ses_1", {
    ...{ seq, sessions: [root], todos: {}, permissions: [], turns: [], tasks: [] },
  })
  const updates = createTreeUpdates({
    opened: root,
    worktree: "/p",
    choices: { agents: [], providers: [], defaultModel: model },
    capabilities: {
      readsFiles: false,
      runsCommands: false,
      hasSubagents: false,
      drawsTerminals: false,
      ...capabilities,
    },
    tree: () => tree,
    isOfEditor: () => false,
  })
  return (type: string, properties: object): string[] => {
    seq += 1
    const item = { type, properties, rootID: "ses_1", seq } as FeedItem
    tree = applyEvent(tree, item)
    return updates.item(item).map(({ sessionId, update }) => `${sessionId}: ${update.sessionUpdate}`)
  }
}

const answer = { info: { id: "msg_2", sessionID: "ses_2", role: "assistant", model } }
const call = {
  part: {
    ...{ id: "prt_1", messageID: "msg_2", sessionID: "ses_2", type: "tool", tool: "list", callID: "call_1" },
    state: { status: "running", input: {}, metadata: {}, time: { start: 1 } },
  },
}

it("a child is announced before what happens in it", () => {
  const tell = follow({ hasSubagents: true })
  expect(tell("session.created", { info: child })).toEqual(["ses_1: subagent_update"])
  expect(tell("message.updated", answer)).toEqual([])
  expect(tell("message.part.updated", call)).toEqual(["ses_2: tool_call"])
  expect(tell("todo.updated", { sessionID: "ses_2", todos: [] })).toEqual(["ses_2: plan"])
})

it("what comes before its session waits for it", () => {
  const tell = follow({ hasSubagents: true })
  expect(tell("message.updated", answer)).toEqual([])
  expect(tell("message.part.updated", call)).toEqual([])
  expect(tell("session.created", { info: child })).toEqual(["ses_1: subagent_update", "ses_2: tool_call"])
})

it("without child sessions, only a child's calls are told, above it", () => {
  const tell = follow({})
  expect(tell("session.created", { info: child })).toEqual([])
  expect(tell("message.updated", answer)).toEqual([])
  expect(tell("message.part.updated", call)).toEqual(["ses_1: tool_call"])
  expect(tell("todo.updated", { sessionID: "ses_2", todos: [] })).toEqual([])
})

it("a session beside the opened one is not told", () => {
  const tell = follow({ hasSubagents: true })
  expect(tell("session.created", { info: session("ses_9", "ses_8") })).toEqual([])
  expect(tell("todo.updated", { sessionID: "ses_9", todos: [] })).toEqual([])
})

it("changed settings are told once, each in its words", () => {
  const tell = follow({})
  const changed = session("ses_1", null, { agent: "plan", title: "New name" })
  const told = ["session_info_update", "current_mode_update", "config_option_update"].map((kind) => `ses_1: ${kind}`)
  expect(tell("session.updated", { info: changed })).toEqual(told)
  expect(tell("session.updated", { info: changed })).toEqual([])
})
