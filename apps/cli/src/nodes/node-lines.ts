import { queueText } from "@docket/core/awaited-text"
import { formatCountdown } from "@docket/core/duration"
import type { ListedNode, NodeList } from "@docket/core/schema"
import { visibleText } from "@docket/core/visible-text"
import { tableLines } from "../table.ts"

const heading = ["node", "host", "role", "version", "state", "at work", "waiting", "last sign"]

/** The nodes as lines under a heading, and what waits for a node that is not there. */
export function nodeLines({ now, nodes, queues }: NodeList): string[] {
  const rows = nodes.map((node) => [
    ...[node.id, node.host.name, node.role, node.version, stateOf(node)],
    ...[String(node.atWork), String(node.waiting), `${formatCountdown(now - node.time.seen)} ago`],
  ])
  return [
    ...tableLines([heading, ...rows]),
    ...queues.filter(({ isServed }) => !isServed).map((queue) => visibleText(queueText(queue))),
  ]
}

function stateOf({ state, isHere }: ListedNode): string {
  return isHere ? `${state}, answers` : state
}
