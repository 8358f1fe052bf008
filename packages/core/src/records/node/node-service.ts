import { DocketError } from "../../ground/error/docket-error.ts"
import {
  type Host,
  type ListedNode,
  type Node,
  type NodeFacts,
  type NodeList,
  type NodeState,
  type NodeUse,
  nodeGoneAfterMs,
  type PlaceQueue,
} from "../../ground/schema/index.ts"
import type { TenantDatabase } from "../../ground/store/index.ts"
import { awaitedAt, nameOfHost } from "./awaited-hosts.ts"
import { createTreesAtPlaces, type TreesAtPlaces } from "./trees-at-places.ts"

/** The nodes of the service, for who runs it. */
export interface NodeService {
  list(): Promise<NodeList>
  /** The node takes no more work. @throws node_not_found, invalid_input for a node that cannot */
  drain(id: string): Promise<ListedNode>
  /** The node takes work again. @throws node_not_found, invalid_input for a node that cannot */
  resume(id: string): Promise<ListedNode>
}

/** A service that is one process. It has the database for itself, and no row. */
export interface OneProcess extends Omit<NodeFacts, "hostID" | "role" | "places" | "use"> {
  /** The name of the machine. */
  host: string
  /** Epoch ms. */
  started: number
  use(): NodeUse
}

export interface NodeServiceDeps {
  database: Pick<TenantDatabase, "nodes" | "workspaces" | "store">
  /** The workspace that exists from the start: it may have no row. */
  firstID: string
  /** The node that answers: by its id, when it has a row. */
  here: OneProcess | { id: string }
}

/** Of a host that has other nodes, one that is gone for so long is no longer shown (ms). */
const shownAfterGoneMs = 3_600_000

export function createNodeService(deps: NodeServiceDeps): NodeService {
  const { nodes: rows } = deps.database
  const treesAtPlaces = createTreesAtPlaces(deps)
  const list = async (): Promise<NodeList> => {
    const [{ now, nodes }, hosts] = await Promise.all([rows.list(), rows.hosts()])
    const shown = withoutOld(nodes, now)
    const there = new Set(shown.filter((node) => stateOf(node, now) !== "gone").map(({ id }) => id))
    const trees = await treesAtPlaces((runner) => isOneProcess(deps.here) || there.has(runner))
    const listed = shown.map((node) => listedNode(node, { ...deps, now, trees, hosts }))
    if (isOneProcess(deps.here)) listed.push(listedProcess(deps.here, now, trees))
    const queues = queuesOf(trees, listed, hosts)
    return { now, nodes: listed.sort(inOrder), queues }
  }
  const set = async (id: string, draining: boolean) => {
    const node = (await list()).nodes.find((each) => each.id === id)
    if (node?.role === "all") throw new DocketError("invalid_input", alone)
    if (node?.role === "web") throw new DocketError("invalid_input", `${id} answers requests and runs no sessions.`)
    if (node === undefined || !(await rows.setDraining(id, draining))) throw missing(id)
    const state: NodeState = node.state === "gone" ? "gone" : draining ? "draining" : "live"
    return { ...node, state }
  }
  return { list, drain: (id) => set(id, true), resume: (id) => set(id, false) }
}

const alone = "This service is one process: no other node could take its work."

function missing(id: string): DocketError {
  return new DocketError("node_not_found", `There is no node ${id}. One that starts again has another id: list them.`)
}

function isOneProcess(here: NodeServiceDeps["here"]): here is OneProcess {
  return "host" in here
}

function stateOf({ draining, time }: Node, now: number): NodeState {
  if (now - time.seen >= nodeGoneAfterMs) return "gone"
  return draining ? "draining" : "live"
}

function withoutOld(nodes: readonly Node[], now: number): Node[] {
  const alive = new Set(nodes.filter((node) => stateOf(node, now) !== "gone").map(({ hostID }) => hostID))
  return nodes.filter(({ hostID, time }) => !alive.has(hostID) || now - time.seen < shownAfterGoneMs)
}

interface Listing extends Pick<NodeServiceDeps, "here"> {
  now: number
  trees: TreesAtPlaces
  hosts: readonly Host[]
}

function listedNode(node: Node, { here, now, trees, hosts }: Listing): ListedNode {
  const { hostID, draining: _, ...facts } = node
  const waiting = node.places.reduce((sum, place) => sum + (trees.waiting.get(place) ?? 0), 0)
  return {
    ...facts,
    host: { id: hostID, name: nameOfHost(hostID, hosts) },
    state: stateOf(node, now),
    isHere: node.id === here.id,
    atWork: trees.atWork.get(node.id) ?? 0,
    waiting,
  }
}

/** One process works on everything, wherever it lies. */
function listedProcess({ host, started, use, ...facts }: OneProcess, now: number, trees: TreesAtPlaces): ListedNode {
  const sum = (counts: ReadonlyMap<string, number>) => counts.values().reduce((all, count) => all + count, 0)
  return {
    ...facts,
    use: use(),
    ...{ role: "all", places: [], host: { id: null, name: host }, state: "live", isHere: true },
    ...{ atWork: sum(trees.atWork), waiting: sum(trees.waiting), time: { started, seen: now } },
  }
}

function queuesOf(trees: TreesAtPlaces, nodes: readonly ListedNode[], hosts: readonly Host[]): PlaceQueue[] {
  const working = nodes.filter(({ state }) => state === "live")
  const isServed = (place: string) =>
    working.some(({ role, places }) => role === "all" || places.some((own) => own === place))
  const isDraining = (place: string) =>
    nodes.some(({ state, places }) => state === "draining" && places.some((own) => own === place))
  return [...trees.waiting]
    .map(([place, waiting]) => {
      const known = { place, name: nameOfPlace(place, hosts), waiting, isServed: isServed(place) }
      const why = isDraining(place) ? "draining" : "gone"
      return { ...known, awaited: known.isServed ? null : awaitedAt(place, why, hosts) }
    })
    .sort((a, b) => (a.place < b.place ? -1 : 1))
}

function nameOfPlace(place: string, hosts: readonly Host[]): string {
  const [kind, name = ""] = place.split(":")
  if (kind === "host") return nameOfHost(name, hosts)
  if (kind === "storage") return `storage ${name}`
  return place === "" ? "a service of one process" : "any host"
}

/** By host, those that are gone last. */
function inOrder(a: ListedNode, b: ListedNode): number {
  const isGone = (node: ListedNode) => Number(node.state === "gone")
  return isGone(a) - isGone(b) || compare(a.host.name, b.host.name) || compare(a.role, b.role) || compare(a.id, b.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
