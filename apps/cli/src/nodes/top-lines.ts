import { queueText } from "@docket/core/awaited-text"
import { formatCountdown } from "@docket/core/duration"
import { localPerson } from "@docket/core/local-person"
import { visibleText } from "@docket/core/rule"
import type { ListedNode, NodeList } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import type { SessionListItem } from "@docket/core/store"
import { formatUsage } from "@docket/core/usage"
import { listStatus } from "@docket/core/work-status"
import { statusWord } from "../sessions/session-line.ts"
import { tableLines } from "../table.ts"

export interface TopFacts {
  /** Null for callers who do not run the service. */
  nodes: NodeList | null
  /** Newest first. */
  sessions: readonly SessionListItem[]
  /** The root sessions that wait for a host. */
  awaited: { has(rootID: string): boolean }
  /** Epoch ms. */
  now: number
}

/** What the service does now, as lines: its nodes with what they use, what waits for a node, and the sessions at work. */
export function topLines({ nodes, sessions, awaited, now }: TopFacts): string[] {
  const busy = sessions.filter((item) => isBusy(item) || awaited.has(item.session.id))
  return [
    ...(nodes === null ? [] : [...nodesTable(nodes), ""]),
    countLine(busy),
    ...(busy.length === 0 ? [] : ["", ...sessionsTable(busy, { awaited, now })]),
  ]
}

const nodeHeading = ["node", "host", "role", "state", "memory", "processors", "event lag", "at work", "waiting"]

function nodesTable({ now, nodes, queues }: NodeList): string[] {
  const rows = nodes.map((node) => [
    ...[node.id, node.host.name, node.role, stateOf(node, now), ...useOf(node)],
    ...[String(node.atWork), String(node.waiting)],
  ])
  const unserved = queues.filter(({ isServed }) => !isServed)
  return [...tableLines([nodeHeading, ...rows]), ...unserved.map((queue) => visibleText(queueText(queue)))]
}

function stateOf({ state, time }: ListedNode, now: number): string {
  return state === "gone" ? `gone for ${formatCountdown(now - time.seen)}` : state
}

function useOf({ state, use }: ListedNode): string[] {
  if (use === undefined || state === "gone") return ["", "", ""]
  const lag = use.lag === null ? "" : `${use.lag} ms`
  return [`${Math.round(use.memory / 1024 ** 2)} MiB`, use.processors.toFixed(2), lag]
}

function countLine(busy: readonly SessionListItem[]): string {
  const needs = busy.filter(({ needsYou }) => needsYou > 0).length
  const agents = busy.reduce((sum, { running }) => sum + running, 0)
  const sessions = busy.length === 1 ? "1 session" : `${busy.length} sessions`
  const running = agents === 1 ? "1 agent runs" : `${agents} agents run`
  return `${sessions} at work; ${running}; ${needs} ${needs === 1 ? "waits" : "wait"} for a person`
}

const sessionHeading = ["session", "status", "agents", "for", "used", "title"]

function sessionsTable(
  busy: readonly SessionListItem[],
  { awaited, now }: Pick<TopFacts, "awaited" | "now">,
): string[] {
  const rows = busy.map((item) => [
    ...[
      item.session.id,
      statusWord(listStatus(item, localPerson, awaited.has(item.session.id)) ?? "queued"),
      `${item.running} of ${item.children + 1}`,
    ],
    formatCountdown(Math.max(0, now - item.session.time.updated)),
    ...[formatUsage(item.treeTokens, item.treeCost) || "nothing", shortTitle(item.session)],
  ])
  return tableLines([sessionHeading, ...rows])
}

function isBusy({ running, needsYou, session }: SessionListItem): boolean {
  return running > 0 || needsYou > 0 || session.status.type !== "idle"
}
