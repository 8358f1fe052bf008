import type { Project, Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import type { SessionListItem } from "@docket/core/store"
import { listStatus, type WorkStatus } from "@docket/core/work-status"
import { statusLabel } from "../../ui/status.ts"
import { type RetryStatus, retryOf } from "../task/retry-text.ts"
import { isUndone } from "../tree/is-undone.ts"
import { tellApart } from "../tree/tell-apart.ts"

/** A row of the session rail. Folders are projects and sessions with known children. */
export interface RailNode {
  id: string
  kind: "root" | "project" | "session"
  name: string
  children: string[]
  /** Link of the row; null for a row without a page. */
  href: string | null
  /** Status mark; null when nothing runs or waits and the user has seen its end. */
  status: WorkStatus | null
  /** Set while its provider failed and the call is retried. */
  retry: RetryStatus | null
  /** Pending permission requests in the tree below. */
  needsYou: number
  /** Last change of the session (epoch ms); null for other rows. */
  updated: number | null
  session: Session | null
}

export const railRoot = "root"

const projectKey = (id: string) => `project:${id}`

export function sessionHref(session: Pick<Session, "id" | "rootID">): string {
  return session.id === session.rootID ? `/s/${session.id}` : `/s/${session.rootID}/c/${session.id}`
}

export interface RailInput {
  projects: Project[]
  /** The listed root sessions, in order. */
  items: SessionListItem[]
  /** Sessions of the open tree, including the root. */
  tree: Session[]
  /** Status marks of the open tree. */
  statuses: ReadonlyMap<string, WorkStatus | null>
  /** The current user: what counts as read differs per user. */
  person: string
  /** The root sessions that wait for a host. */
  awaited: { has(rootID: string): boolean }
}

/** Projects, their root sessions, and the children of the open tree, as nodes by id. */
export function railNodes(input: RailInput): Map<string, RailNode> {
  const nodes = new Map<string, RailNode>()
  const projects = new Map(input.projects.map((project) => [project.id, project]))
  const root: RailNode = emptyNode(railRoot, "root", "Sessions")
  nodes.set(railRoot, root)
  for (const item of input.items) {
    const { session, needsYou } = item
    const key = projectKey(session.projectID)
    let project = nodes.get(key)
    if (!project) {
      project = emptyNode(key, "project", projects.get(session.projectID)?.name ?? "Project")
      nodes.set(key, project)
      root.children.push(key)
    }
    project.children.push(session.id)
    project.needsYou += needsYou
    nodes.set(session.id, sessionNode(session, listStatus(item, input.person, input.awaited.has(session.id)), needsYou))
  }
  addTree(nodes, input)
  return nodes
}

function emptyNode(id: string, kind: RailNode["kind"], name: string): RailNode {
  return {
    id,
    kind,
    name,
    children: [],
    href: null,
    status: null,
    retry: null,
    needsYou: 0,
    updated: null,
    session: null,
  }
}

function sessionNode(session: Session, status: WorkStatus | null, needsYou: number): RailNode {
  return {
    ...emptyNode(session.id, "session", shortTitle(session)),
    href: sessionHref(session),
    status,
    retry: retryOf(session.status),
    needsYou,
    updated: session.time.updated,
    session,
  }
}

function addTree(nodes: Map<string, RailNode>, { tree, statuses }: RailInput): void {
  const byAge = tree.filter((session) => !isUndone(session)).sort((a, b) => a.time.created - b.time.created)
  const parents = new Set<RailNode>()
  for (const session of byAge) {
    if (!session.parentID || !nodes.has(session.rootID)) continue
    const parent = nodes.get(session.parentID)
    if (!parent) continue
    const status = statuses.get(session.id) ?? null
    // A finished child needs no mark, because its parent continues with the result.
    nodes.set(session.id, sessionNode(session, status === "done" ? null : status, status === "needs" ? 1 : 0))
    parent.children.push(session.id)
    parents.add(parent)
  }
  const childrenOf = ({ children }: RailNode) => children.flatMap((id) => nodes.get(id) ?? [])
  for (const parent of parents) tellApart(childrenOf(parent), "name")
}

/** The row's name for screen readers, including its status. */
export function spokenName(node: RailNode): string {
  if (node.retry !== null && node.status === "running") return `${node.name}, retrying`
  return node.status === null ? node.name : `${node.name}, ${statusLabel[node.status].toLowerCase()}`
}
