import type { PermissionRequest, Session, SessionStatus, ToolPart } from "@docket/core/schema"
import type { MetadataOf } from "@docket/core/tool-metadata"
import { treeFromSnapshot } from "@docket/core/tree"
import { describe, expect, it } from "vitest"
import { agentNodes, agentSources, treeTotals } from "./agent-nodes.ts"

const busy: SessionStatus = { type: "busy" }
const tokens = { input: 10, output: 5, reasoning: 0, cache: { read: 0, write: 0 } }

function session(id: string, over: Partial<Session> = {}): Session {
  return {
    id,
    projectID: "prj_1",
    parentID: null,
    rootID: "ses_root",
    depth: 0,
    directory: "/p",
    title: id,
    agent: "build",
    model: null,
    permission: [],
    status: { type: "idle" },
    cost: 0.5,
    tokens,
    origin: null,
    abortedAt: null,
    time: { created: Number(id.at(-1)) || 0, updated: 0, archived: null },
    ...over,
  }
}

const child = (id: string, over: Partial<Session> = {}) =>
  session(id, { parentID: "ses_root", agent: "explore", origin: { messageID: "msg_1", callID: `call_${id}` }, ...over })

function taskPart(id: string, summary: MetadataOf<"task">["summary"]): ToolPart {
  const model = { providerID: "anthropic", modelID: "claude" }
  const used = { toolCount: summary.length, startedAt: 100, elapsed: 0, tokens: 0, cost: 0 }
  const child = { sessionId: id, agent: "explore", description: "Look", model }
  const metadata: MetadataOf<"task"> = { ...child, state: "running", summary, ...used }
  const state = { status: "running" as const, input: {}, metadata, time: { start: 100 } }
  return {
    id: `prt_${id}`,
    sessionID: "ses_root",
    messageID: "msg_1",
    type: "tool",
    callID: `call_${id}`,
    tool: "task",
    state,
  }
}

function treeOf(sessions: Session[], permissions: PermissionRequest[] = [], parts: ToolPart[] = []) {
  const tree = treeFromSnapshot("ses_root", { seq: 1, sessions, permissions, todos: {}, turns: [], tasks: [] })
  // Only the fields that the nodes read.
  const info = { id: "msg_1", sessionID: "ses_root" } as never
  tree.transcripts.ses_root = { messages: [{ info, parts }], before: null, after: null }
  return tree
}

describe("agentNodes", () => {
  it("nests sessions in creation order and shows a running child's activity", () => {
    const parts = [taskPart("ses_1", [{ id: "1", tool: "grep", status: "running", title: "needle" }])]
    const tree = treeOf(
      [session("ses_root", { status: busy }), child("ses_2"), child("ses_1", { status: busy })],
      [],
      parts,
    )
    const nodes = agentNodes(tree)
    expect(nodes.get("ses_root")?.children).toEqual(["ses_1", "ses_2"])
    expect(nodes.get("ses_1")).toMatchObject({
      title: "Look",
      current: "grep needle",
      status: "running",
      times: { worked: { ms: 0, since: 100 }, waited: { ms: 0, since: null } },
      cost: 0.5,
    })
    expect(nodes.get("ses_root")).toMatchObject({ tokens: 45, cost: 1.5 })
    expect(treeTotals(tree)).toEqual({ sessions: 3, running: 2, tokens: 45, cost: 1.5 })
  })

  it("marks a child whose provider call is being retried", () => {
    const retry: SessionStatus = { type: "retry", attempt: 2, message: "overloaded", next: 9 }
    const nodes = agentNodes(treeOf([session("ses_root", { status: busy }), child("ses_1", { status: retry })]))
    expect(nodes.get("ses_1")).toMatchObject({ status: "running", retry })
    expect(nodes.get("ses_root")?.retry).toBeNull()
  })

  it("marks every ancestor of a session that waits for a person", () => {
    const deep = session("ses_3", { parentID: "ses_1" })
    // Only the fields that the nodes read.
    const request = { id: "per_1", sessionID: "ses_3", status: "pending", callID: null } as unknown as PermissionRequest
    const nodes = agentNodes(treeOf([session("ses_root"), child("ses_1"), child("ses_2"), deep], [request]))
    expect(
      [...nodes.values()]
        .filter((node) => node.status === "needs")
        .map((node) => node.id)
        .sort(),
    ).toEqual(["ses_1", "ses_3", "ses_root"])
  })

  it("keeps the same sources when only text has changed", () => {
    const tree = treeOf([session("ses_root"), child("ses_1")])
    const later = { ...tree, seq: 9, transcripts: { ...tree.transcripts } }
    expect(agentSources(later)).toEqual(agentSources(tree))
    expect(
      Object.values(agentSources(later)).every((value, index) => value === Object.values(agentSources(tree))[index]),
    ).toBe(true)
  })
})
