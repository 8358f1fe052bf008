import type { TreeState } from "@docket/client"
import type { Session } from "@docket/core/schema"
import { expect, it } from "vitest"
import { subagentUpdate } from "./subagent-update.ts"

const child = (more: Partial<Session> = {}) =>
  ({
    id: "ses_2",
    parentID: "ses_1",
    directory: "/p",
    title: "Look around (@explore subagent)",
    agent: "explore",
    status: { type: "idle" },
    time: { created: 1, updated: 1, archived: null },
    ...more,
  }) as Session

const rows = (more: Partial<Record<"permissions" | "tasks" | "turns", object>> = {}) =>
  ({ permissions: {}, tasks: {}, turns: {}, ...more }) as TreeState
const of = (state: string) => ({ one: { sessionID: "ses_2", state } })

it("a child is announced with its task, agent and directory", () => {
  expect(subagentUpdate(child(), rows())).toEqual({
    sessionId: "ses_2",
    title: "Look around",
    description: "@explore",
    cwd: "/p",
    capabilities: {},
    state: { state: "idle" },
  })
})

it.each([
  ["a request waits", child({ status: { type: "busy" } }), rows({ permissions: of("") }), { state: "requires_action" }],
  ["it works", child({ status: { type: "busy" } }), rows(), { state: "running" }],
  ["its turn waits", child(), rows({ turns: of("") }), { state: "running" }],
  ["it is done", child({ ended: { at: 1, how: "completed" } }), rows(), { state: "idle", stopReason: "end_turn" }],
  ["it was stopped", child({ ended: { at: 1, how: "stopped" } }), rows(), { state: "idle", stopReason: "cancelled" }],
  ["it failed", child({ ended: { at: 1, how: "failed" } }), rows(), { state: "idle", stopReason: "error" }],
])("the state of a child when %s", (_, session, tree, state) => {
  expect(subagentUpdate(session, tree).state).toEqual(state)
})

it.each([
  ["queued", { cancel: {} }],
  ["running", { cancel: {} }],
  ["completed", {}],
])("a child whose task is %s can do %o", (state, capabilities) => {
  expect(subagentUpdate(child(), rows({ tasks: of(state) })).capabilities).toEqual(capabilities)
})
