import type { TreeState } from "@docket/client"
import type { Session, ToolPart, Turn } from "@docket/core/schema"
import type { Status } from "../../ui/status.ts"
import { readTask } from "../tools/read-task.ts"
import { findTaskPart } from "../tree/find-task-part.ts"
import { findWaiting } from "../tree/find-waiting.ts"
import { isUndone } from "../tree/is-undone.ts"
import { sessionStatus } from "../tree/session-status.ts"
import { totalTokens } from "../tree/total-tokens.ts"

/** A session of the tree as the agents rail shows it. Times are epoch ms, cost is USD. */
export interface AgentNode {
  id: string
  children: string[]
  title: string
  agent: string
  status: Status
  /** When the work began; null when that is not known. */
  startedAt: number | null
  /** Null while it runs. */
  endedAt: number | null
  /** What it does now. */
  current: string | null
  tokens: number
  cost: number
  /** Waits for a person, itself or below. */
  needsYou: boolean
}

/** What the rail reads of a tree; flat, so that it can be compared entry by entry. */
export type AgentSources = Record<string, Session | ToolPart | Turn | TreeState["permissions"]>

/** Picks the sessions, the calls that made them, and the running turns out of the tree. */
export function agentSources(tree: TreeState | null): AgentSources {
  const sources: AgentSources = {}
  if (tree === null) return sources
  for (const session of Object.values(tree.sessions)) {
    if (isUndone(session)) continue
    sources[session.id] = session
    const part = findTaskPart(session, tree.transcripts)
    if (part) sources[`task:${session.id}`] = part
  }
  for (const turn of Object.values(tree.turns)) if (turn.status === "running") sources[`turn:${turn.sessionID}`] = turn
  sources.permissions = tree.permissions
  return sources
}

/** The sessions as nodes by id, children in the order in which they were made. */
export function agentNodes(tree: TreeState): Map<string, AgentNode> {
  const waiting = findWaiting(tree.permissions, tree.sessions).sessions
  const running = new Map(
    Object.values(tree.turns).flatMap((turn) => (turn.status === "running" ? [[turn.sessionID, turn]] : [])),
  )
  const sessions = Object.values(tree.sessions)
    .filter((session) => !isUndone(session))
    .sort((a, b) => a.time.created - b.time.created)
  const nodes = new Map<string, AgentNode>()
  for (const session of sessions) {
    const part = findTaskPart(session, tree.transcripts)
    nodes.set(session.id, agentNode(session, part, running.get(session.id), waiting.has(session.id)))
  }
  for (const session of sessions) if (session.parentID) nodes.get(session.parentID)?.children.push(session.id)
  return nodes
}

function agentNode(session: Session, part: ToolPart | null, turn: Turn | undefined, needsYou: boolean): AgentNode {
  const task = part && readTask(part)
  const busy = session.status.type !== "idle"
  const step = task?.current
  const startedAt = task?.startedAt ?? turn?.time.started ?? null
  return {
    id: session.id,
    children: [],
    title: task?.description ?? session.title,
    agent: session.agent,
    status: needsYou ? "needs" : sessionStatus(session, task?.state ?? null),
    startedAt,
    endedAt: busy || startedAt === null ? null : startedAt + (task?.elapsed ?? 0),
    current: busy ? (step ? `${step.tool} ${step.title ?? ""}`.trim() : null) : null,
    tokens: totalTokens(session.tokens),
    cost: session.cost,
    needsYou,
  }
}

export interface TreeTotals {
  sessions: number
  running: number
  tokens: number
  cost: number
}

/** Sums over the whole tree. */
export function treeTotals(nodes: Iterable<AgentNode>): TreeTotals {
  const totals: TreeTotals = { sessions: 0, running: 0, tokens: 0, cost: 0 }
  for (const node of nodes) {
    totals.sessions += 1
    if (node.status === "running" || node.status === "needs") totals.running += 1
    totals.tokens += node.tokens
    totals.cost += node.cost
  }
  return totals
}
