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
      waiting: new Set(),
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
      waiting: new Set(["g"]),
    })
    expect(nodes.get("r")).toMatchObject({ status: "needs", children: ["k"] })
    expect(nodes.get("k")).toMatchObject({ status: "running", children: ["g"] })
    expect(nodes.get("g")).toMatchObject({ status: "needs", href: "/s/r/c/g" })
    expect(nodes.get("project:p1")?.needsYou).toBe(1)
    expect([...nodes.values()].map(spokenName)).toContain("Title r, needs you")
  })

  it("leaves out the tree of a session that the search does not show", () => {
    const child = session("k", { parentID: "r", rootID: "r" })
    expect(railNodes({ projects, items: [], tree: [session("r"), child], waiting: new Set() }).has("k")).toBe(false)
  })
})
