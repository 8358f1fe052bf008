import type { TreeState } from "@docket/client"
import type { Session, TaskSummary, ToolPart, Turn } from "@docket/core/schema"
import { type TaskTimes, taskTimes } from "@docket/core/task-times"
import { totalTokens, treeUsage, type Usage } from "@docket/core/usage"
import { newestTasks, type WorkStatus } from "@docket/core/work-status"
import { type RetryStatus, retryOf } from "../task/retry-text.ts"
import { readTask } from "../tools/read-task.ts"
import { toolLabel } from "../tools/tool-label.ts"
import { findTaskPart } from "../tree/find-task-part.ts"
import { isUndone } from "../tree/is-undone.ts"
import { sessionStatuses } from "../tree/session-statuses.ts"
import { tellApart } from "../tree/tell-apart.ts"

/** A session of the tree as the agents rail shows it. Times are epoch ms, cost is USD. */
export interface AgentNode {
  id: string
  children: string[]
  title: string
  agent: string
  /** Status glyph; null when the session has not run yet. Requests and running work below it count too. */
  status: WorkStatus | null
  /** Of its newest task, or of the root's turn; null when nothing is known. */
  times: TaskTimes | null
  /** What the session does now. */
  current: string | null
  /** Set while its provider failed and the call is retried. */
  retry: RetryStatus | null
  /** Including all sessions below it. */
  tokens: number
  cost: number
}

/** The part of a tree that the rail reads; flat, so that it can be compared entry by entry. */
export type AgentSources = Record<string, Session | ToolPart | Turn | TreeState["permissions"] | TreeState["tasks"]>

/** Picks the sessions, the calls that started them, and the running turns out of the tree. */
export function agentSources(tree: TreeState | null): AgentSources {
  const sources: AgentSources = {}
  if (tree === null) return sources
  for (const session of Object.values(tree.sessions)) {
    sources[session.id] = session
    const part = findTaskPart(session, tree.transcripts)
    if (part) sources[`task:${session.id}`] = part
  }
  for (const turn of Object.values(tree.turns)) if (turn.status === "running") sources[`turn:${turn.sessionID}`] = turn
  sources.permissions = tree.permissions
  sources.tasks = tree.tasks
  return sources
}

/** The sessions as nodes by id, children in the order in which they were created. `isAway`: its work waits for a host. */
export function agentNodes(tree: TreeState, isAway = false): Map<string, AgentNode> {
  const sessions = Object.values(tree.sessions)
  const usage = treeUsage(sessions)
  const statuses = sessionStatuses(tree, isAway)
  const running = new Map(
    Object.values(tree.turns).flatMap((turn) => (turn.status === "running" ? [[turn.sessionID, turn]] : [])),
  )
  const shown = sessions.filter((session) => !isUndone(session)).sort((a, b) => a.time.created - b.time.created)
  const newest = newestTasks(Object.values(tree.tasks))
  const nodes = new Map<string, AgentNode>()
  for (const session of shown) {
    const part = findTaskPart(session, tree.transcripts)
    const facts = { status: statuses.get(session.id) ?? null, used: usage.subtree(session.id) }
    const record = newest.get(session.id) ?? null
    nodes.set(session.id, agentNode(session, { part, record }, running.get(session.id), facts))
  }
  for (const session of shown) if (session.parentID) nodes.get(session.parentID)?.children.push(session.id)
  for (const { children } of nodes.values()) {
    tellApart(
      children.flatMap((id) => nodes.get(id) ?? []),
      "title",
    )
  }
  return nodes
}

function agentNode(
  session: Session,
  { part, record }: { part: ToolPart | null; record: TaskSummary | null },
  turn: Turn | undefined,
  { status, used }: { status: WorkStatus | null; used: Usage },
): AgentNode {
  const task = part && readTask(part)
  const busy = session.status.type !== "idle"
  const step = task?.current
  const began = turn?.time.started ?? null
  const turnTimes = began === null ? null : { waited: { ms: 0, since: null }, worked: { ms: 0, since: began } }
  return {
    id: session.id,
    children: [],
    title: task?.description ?? session.title,
    agent: session.agent,
    status,
    times: record === null ? (task?.times ?? turnTimes) : taskTimes(record),
    current: busy ? (step ? `${toolLabel(step.tool)} ${step.title ?? ""}`.trim() : null) : null,
    retry: retryOf(session.status),
    tokens: totalTokens(used.tokens),
    cost: used.cost,
  }
}

export interface TreeTotals {
  sessions: number
  running: number
  tokens: number
  cost: number
}

/** The totals at the bottom of the rail. Undone sessions are not counted, but their cost is. */
export function treeTotals(tree: TreeState): TreeTotals {
  const all = Object.values(tree.sessions)
  const shown = all.filter((session) => !isUndone(session))
  const { tokens, cost } = treeUsage(all).whole
  const running = shown.filter(({ status }) => status.type !== "idle").length
  return { sessions: shown.length, running, tokens: totalTokens(tokens), cost }
}
