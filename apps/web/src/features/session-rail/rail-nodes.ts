import type { Project, Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import type { SessionListItem } from "@docket/core/store"
import type { Status } from "../../ui/status.ts"

/** A row of the session rail. Folders are projects and sessions with known children. */
export interface RailNode {
  id: string
  kind: "root" | "project" | "session"
  name: string
  children: string[]
  /** Link of the row; null for what is not a page. */
  href: string | null
  /** null when nothing runs and nothing waits. */
  status: Status | null
  /** Pending permission requests in the tree below. */
  needsYou: number
  updated: number | null
  session: Session | null
}

export const railRoot = "root"

const projectKey = (id: string) => `project:${id}`

/** What a session's row says: waiting for a person wins over running. */
function statusOf(running: boolean, needsYou: number): Status | null {
  if (needsYou > 0) return "needs"
  return running ? "running" : null
}

export function sessionHref(session: Pick<Session, "id" | "rootID">): string {
  return session.id === session.rootID ? `/s/${session.id}` : `/s/${session.rootID}/c/${session.id}`
}

export interface RailInput {
  projects: Project[]
  items: SessionListItem[]
  /** Sessions of the tree that is open, root included. */
  tree: Session[]
  /** Pending requests of the open tree, by the session that asks. */
  waiting: ReadonlySet<string>
}

/** Projects, their root sessions, and the children of the tree that is open, as nodes by id. */
export function railNodes(input: RailInput): Map<string, RailNode> {
  const nodes = new Map<string, RailNode>()
  const projects = new Map(input.projects.map((project) => [project.id, project]))
  const root: RailNode = emptyNode(railRoot, "root", "Sessions")
  nodes.set(railRoot, root)
  for (const { session, running, needsYou } of input.items) {
    const key = projectKey(session.projectID)
    let project = nodes.get(key)
    if (!project) {
      project = emptyNode(key, "project", projects.get(session.projectID)?.name ?? "Project")
      nodes.set(key, project)
      root.children.push(key)
    }
    project.children.push(session.id)
    project.needsYou += needsYou
    nodes.set(session.id, sessionNode(session, statusOf(running > 0, needsYou), needsYou))
  }
  addTree(nodes, input)
  return nodes
}

function emptyNode(id: string, kind: RailNode["kind"], name: string): RailNode {
  return { id, kind, name, children: [], href: null, status: null, needsYou: 0, updated: null, session: null }
}

function sessionNode(session: Session, status: Status | null, needsYou: number): RailNode {
  return {
    ...emptyNode(session.id, "session", shortTitle(session)),
    href: sessionHref(session),
    status,
    needsYou,
    updated: session.time.updated,
    session,
  }
}

function addTree(nodes: Map<string, RailNode>, { tree, waiting }: RailInput): void {
  const byAge = [...tree].sort((a, b) => a.time.created - b.time.created)
  for (const session of byAge) {
    if (!session.parentID || !nodes.has(session.rootID)) continue
    const parent = nodes.get(session.parentID)
    if (!parent) continue
    const needs = waiting.has(session.id) ? 1 : 0
    nodes.set(session.id, sessionNode(session, statusOf(session.status.type !== "idle", needs), needs))
    parent.children.push(session.id)
  }
}

/** The row's name for screen readers, with what its marks say. */
export function spokenName(node: RailNode): string {
  if (node.needsYou > 0) return `${node.name}, needs you`
  return node.status === "running" ? `${node.name}, running` : node.name
}
