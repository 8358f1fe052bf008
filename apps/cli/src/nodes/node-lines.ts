import { formatCountdown } from "@docket/core/duration"
import type { ListedNode, NodeList, PlaceQueue } from "@docket/core/schema"
import { tableLines } from "../table.ts"

const heading = ["node", "host", "role", "version", "state", "at work", "waiting", "last sign"]

/** The nodes as lines under a heading, and what waits for a node that is not there. */
export function nodeLines({ now, nodes, queues }: NodeList): string[] {
  const rows = nodes.map((node) => [
    ...[node.id, node.host.name, node.role, node.version, stateOf(node)],
    ...[String(node.atWork), String(node.waiting), `${formatCountdown(now - node.time.seen)} ago`],
  ])
  return [...tableLines([heading, ...rows]), ...queues.filter(({ isServed }) => !isServed).flatMap(unservedLines)]
}

function stateOf({ state, isHere }: ListedNode): string {
  return isHere ? `${state}, answers` : state
}

function unservedLines({ name, waiting }: PlaceQueue): string[] {
  const what = waiting === 1 ? "1 session waits" : `${waiting} sessions wait`
  return tableLines([[`${what} for ${name}: no worker there takes sessions`]])
}
