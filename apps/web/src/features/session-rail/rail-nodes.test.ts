import type { Project, Session } from "@docket/core/schema"
import { describe, expect, it } from "vitest"
import { railNodes, railRoot, spokenName } from "./rail-nodes.ts"

const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

function session(id: string, more: Partial<Session> = {}): Session {
  return {
    id,
    projectID: "p1",
    parentID: null,
    rootID: id,
    depth: 0,
    directory: "/work",
    title: `Title ${id}`,
    agent: "build",
    model: null,
    permission: [],
    status: { type: "idle" },
    cost: 0,
    tokens,
    origin: null,
    abortedAt: null,
    time: { created: 0, updated: 0, archived: null },
    ...more,
  }
}

const item = (value: Session, running = 0, needsYou = 0) => ({
  session: value,
  running,
  needsYou,
  reviews: 0,
  treeCost: 0,
  treeTokens: 0,
  children: 0,
})

const projects: Project[] = ["p1", "p2"].map((id) => ({
  id,
  name: `Project ${id}`,
  directory: `/${id}`,
  worktree: `/${id}`,
  git: true,
  time: { created: 0, opened: 0 },
}))

describe("railNodes", () => {
  it("groups sessions by project in the order of the list", () => {
    const nodes = railNodes({
      projects,
      items: [item(session("b", { projectID: "p2" })), item(session("a")), item(session("c", { projectID: "p2" }))],
      tree: [],
      statuses: new Map(),
      person: "ann",
      awaited: new Set(),
    })
    expect(nodes.get(railRoot)?.children).toEqual(["project:p2", "project:p1"])
    expect(nodes.get("project:p2")?.children).toEqual(["b", "c"])
  })

  it("lifts a grandchild's question to its root and project", () => {
    const root = session("r")
    const child = session("k", { parentID: "r", rootID: "r", depth: 1, status: { type: "busy" } })
    const grandchild = session("g", {
      parentID: "k",
      rootID: "r",
      depth: 2,
      time: { created: 2, updated: 2, archived: null },
    })
    const nodes = railNodes({
      projects,
      items: [item(root, 2, 1)],
      tree: [grandchild, root, child],
      statuses: new Map([
        ["r", "needs"],
        ["k", "needs"],
        ["g", "needs"],
      ]),
      person: "ann",
      awaited: new Set(),
    })
    expect(nodes.get("r")).toMatchObject({ status: "needs", children: ["k"] })
    expect(nodes.get("k")).toMatchObject({ status: "needs", children: ["g"] })
    expect(nodes.get("g")).toMatchObject({ status: "needs", href: "/s/r/c/g" })
    expect(nodes.get("project:p1")?.needsYou).toBe(1)
    expect([...nodes.values()].map(spokenName)).toContain("Title r, needs you")
  })

  it("leaves out the tree of a session that search hides", () => {
    const child = session("k", { parentID: "r", rootID: "r" })
    const nodes = railNodes({
      projects,
      items: [],
      tree: [session("r"), child],
      statuses: new Map(),
      person: "ann",
      awaited: new Set(),
    })
    expect(nodes.has("k")).toBe(false)
  })

  it("leaves out children that are undone", () => {
    const undone = session("k", { parentID: "r", rootID: "r", time: { created: 1, updated: 1, archived: 5 } })
    const kept = session("l", { parentID: "r", rootID: "r" })
    const root = session("r")
    const nodes = railNodes({
      projects,
      items: [item(root)],
      tree: [root, undone, kept],
      statuses: new Map([["l", "failed"]]),
      person: "ann",
      awaited: new Set(),
    })
    expect(nodes.get("r")?.children).toEqual(["l"])
    expect(nodes.get("l")?.status).toBe("failed")
  })

  it("numbers only siblings with the same name", () => {
    const root = session("r", { title: "Same" })
    const child = (id: string, parentID: string, created: number) =>
      session(id, { parentID, rootID: "r", title: "Same", time: { created, updated: 0, archived: null } })
    const tree = [root, child("b", "r", 2), child("a", "r", 1), child("c", "a", 3)]
    const nodes = railNodes({
      projects,
      items: [item(root)],
      tree,
      statuses: new Map(),
      person: "ann",
      awaited: new Set(),
    })
    expect(["r", "a", "b", "c"].map((id) => nodes.get(id)?.name)).toEqual(["Same", "Same", "Same · 2", "Same"])
  })

  it("marks a failed or ended root until the person reads it", () => {
    const failed = session("f", { ended: { at: 5, how: "failed" } })
    const done = session("d", { ended: { at: 5, how: "completed" } })
    const read = session("e", { ended: { at: 5, how: "failed" }, read: { ann: 5 } })
    const items = [item(failed), item(done), item(read)]
    const nodes = railNodes({ projects, items, tree: [], statuses: new Map(), person: "ann", awaited: new Set() })
    expect(["f", "d", "e"].map((id) => nodes.get(id)?.status)).toEqual(["failed", "unread", null])
  })
})
