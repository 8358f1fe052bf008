import { hostname } from "node:os"
import {
  awaitedAt,
  createDuty,
  createIdSource,
  DocketError,
  type HeldDuty,
  type HostLink,
  type InOrder,
  isDocketError,
  type Peers,
} from "@docket/core"
import { awaitedText } from "@docket/core/awaited-text"
import type { AwaitedHost, NamedPlace, NodeFacts, Place } from "@docket/core/schema"
import type { NodeStore } from "@docket/core/store"
import { nodeTimers } from "@docket/core/timers"
import type { GivenTree, QueuedTree } from "@docket/core/turn-engine"
import type { TreeJobs } from "@docket/db"
import type { NodeLinks } from "@docket/nodes"
import packageJson from "../../package.json" with { type: "json" }
import type { NodeOptions } from "../command-line.js"
import { createDatabaseClock } from "./database-clock.ts"
import { hostID } from "./host-id.ts"
import { type AgeCheck, joinNodes, type NodeRegistry } from "./node-registry.ts"
import { createProcessUse } from "./process-use.ts"

/** How many trees a worker works on at a time. */
const capacity = 100

/** The duties of a node. */
interface OwnDuties {
  files: HeldDuty
  rows: HeldDuty
}

interface NodeDeps {
  url: string
  /** Absolute path of the data directory. */
  data: string
  onError(error: unknown): void
}

/** The connection to other nodes, before the database is open. */
export interface NodeLink {
  jobs: TreeJobs
  /** Joins the nodes of the database. */
  join(nodes: NodeStore, age: AgeCheck): Promise<OpenedNode>
  close(): Promise<void>
}

export interface Worker {
  work(tree: GivenTree): Promise<void>
  /** Carries out what another node asks for in a workspace (`Runtime.answer`). */
  answer(workspace: string, request: string): Promise<string>
}

export interface OpenedNode {
  id: string
  /** The id of its host. */
  host: string
  role: NodeFacts["role"]
  /** Whether it takes no more work. */
  isDraining(): boolean
  /** The time by the database's clock. */
  clock(): number
  /** What one node at a time does for all; a web node does none of it. */
  duties: OwnDuties | null
  /** Does work of one key one after the other, over all nodes. */
  inOrder: InOrder
  /** Makes counters that hold over all nodes. */
  createTries: NodeLinks["createTries"]
  /** The scripts and styles of the web apps of all nodes. */
  pageFiles: NodeLinks["pageFiles"]
  /** Where the projects are that are opened here; null for a node without directories. */
  place: Place | null
  /** Whether the node of this id is there. */
  isAlive(nodeID: string): boolean
  /** The hosts of all nodes, for a workspace. */
  hostsOf(workspace: string): HostLink
  /** What nodes tell each other in a workspace. */
  peersOf(workspace: string): Peers
  /** The places whose trees this node works on. */
  places: readonly Place[]
  enqueue(trees: readonly QueuedTree[]): Promise<void>
  /** Begins to work for its places; a web node has none. */
  serve(worker: Worker): Promise<void>
  /** Gives the trees at work, and the duties, to other nodes. Resolves when nothing runs here any more. */
  giveBack(): Promise<void>
  /** Leaves the list of nodes. */
  leave(): Promise<void>
}

/**
 * Connects this process to the other nodes of a PostgreSQL database.
 * @throws store_unavailable when the database does not answer, or notifications do not arrive
 */
export async function openNode({ role, storage }: NodeOptions, { url, data, onError }: NodeDeps): Promise<NodeLink> {
  // Its own: the ids of rows come from a source that knows the newest of them.
  const createID = createIdSource(Date.now)
  const { openNodeLinks } = await import("@docket/nodes")
  const host = hostID(data, () => createID("host"))
  const opened = openNodeLinks({ url, now: () => performance.now(), onError }).catch((cause) => {
    const message = `cannot reach the PostgreSQL database: ${cause}. Check that the server runs and the address.`
    throw new DocketError("store_unavailable", message, { cause })
  })
  const { close, ...links } = await opened
  const onHost: Place = `host:${host}`
  const own: Place | null = role === "web" ? null : storage === null ? onHost : `storage:${storage}`
  // Files of repositories are on a host, whatever storage it shares.
  const places = own === null ? [] : [...new Set([own, onHost, "any"])]
  const facts: NodeFacts = {
    ...{ id: createID("node"), hostID: host, role, places },
    ...{ version: packageJson.version, pid: process.pid },
  }
  return {
    jobs: {
      insert: (execute, trees) => links.engine.enqueue(trees, (sql, values) => execute(sql, values && [...values])),
    },
    join: (nodes, age) => join(nodes, { facts, ...links, ...age, place: own, onError }),
    close,
  }
}

interface Joining extends Omit<NodeLinks, "close">, AgeCheck {
  facts: NodeFacts
  place: Place | null
  onError(error: unknown): void
}

async function join(
  nodes: NodeStore,
  { facts, engine, calls, duties, inOrder, createTries, pageFiles, news, place, missed, onTooOld, onError }: Joining,
): Promise<OpenedNode> {
  await nodes.putHost({ id: facts.hostID, label: hostname() })
  const own: OwnDuties | null = place === null ? null : { files: createDuty(onError), rows: createDuty(onError) }
  let isDraining = false
  const drain = () => {
    engine.pause()
    duties.giveBack().catch(onError)
  }
  const onDraining = (draining: boolean) => {
    isDraining = draining
    if (isDraining) return drain()
    engine.resume()
    duties.resume()
  }
  const clock = createDatabaseClock(() => performance.now())
  const used = createProcessUse()
  let lag: number | null = null
  const use = async () => {
    // It is told with the next beat: a lost one must not hold this one up.
    news.lag().then((ms) => {
      lag = ms
    }, onError)
    return { ...used(), lag }
  }
  const registry = await joinNodes({
    ...{ nodes, facts, use, clock, missed, onTooOld, onDraining, onError },
    timers: nodeTimers,
  })
  const callPlace: HostLink["call"] = async (target, request, signal) => {
    if (!registry.isServed(target)) throw await hostAway(nodes, target)
    const isServed = () => registry.isServed(target)
    return calls.call(target, request, { isServed, signal: signal ?? undefined }).catch(async (error: unknown) => {
      // It may have gone during the call: its name says where to help.
      const isAway = isDocketError(error) && error.code === "host_away" && !isServed()
      throw isAway ? await hostAway(nodes, target) : error
    })
  }
  return {
    ...{
      id: facts.id,
      host: facts.hostID,
      role: facts.role,
      isDraining: registry.isDraining,
      clock: clock.now,
      duties: own,
      inOrder,
      createTries,
      pageFiles,
      place,
      places: facts.places,
      isAlive: registry.isAlive,
    },
    enqueue: (trees) => engine.enqueue(trees),
    peersOf: news.of,
    hostsOf: (workspace) => ({
      places: facts.places,
      awaited: (asked) => awaitedOf({ nodes, registry }, asked),
      directories: () => directoriesOf({ nodes, registry }),
      watch: registry.watch,
      call: (target, request, signal) => callPlace(target, `${workspace} ${request}`, signal),
    }),
    async serve({ work, answer }) {
      if (facts.places.length === 0) return
      await calls.serve(facts.places, (request) => {
        const [workspace = ""] = request.split(" ", 1)
        return answer(workspace, request.slice(workspace.length + 1))
      })
      await engine.serve({ places: facts.places, capacity, work })
      if (own !== null) {
        await duties.want(`files/${place}`, own.files.hold)
        await duties.want("rows", own.rows.hold)
      }
      if (isDraining) drain()
    },
    async giveBack() {
      await duties.giveBack()
      await engine.giveBack()
    },
    leave: registry.close,
  }
}

/** What work at these places waits for, where no node takes it. */
async function awaitedOf(
  { nodes, registry }: { nodes: NodeStore; registry: Pick<NodeRegistry, "takesWork"> },
  places: readonly string[],
): Promise<Map<string, AwaitedHost>> {
  const away = places.filter((place) => registry.takesWork(place) !== true)
  const hosts = away.some((place) => place.startsWith("host:")) ? await nodes.hosts() : []
  return new Map(
    away.flatMap((place): [string, AwaitedHost][] => {
      const host = awaitedAt(place, registry.takesWork(place) === null ? "gone" : "draining", hosts)
      return host === null ? [] : [[place, host]]
    }),
  )
}

async function directoriesOf({
  nodes,
  registry,
}: {
  nodes: NodeStore
  registry: Pick<NodeRegistry, "directories">
}): Promise<NamedPlace[]> {
  const hosts = await nodes.hosts()
  const named = registry.directories().flatMap((place): NamedPlace[] => {
    const at = awaitedAt(place, "gone", hosts)
    return at === null || at.kind === "any" ? [] : [{ place, kind: at.kind, name: at.name ?? place }]
  })
  return named.sort((a, b) => a.name.localeCompare(b.name))
}

/** Names the host whose files are needed: only a node of it has them. */
async function hostAway(nodes: NodeStore, place: string): Promise<DocketError> {
  const hosts = place.startsWith("host:") ? await nodes.hosts() : []
  const awaited = awaitedAt(place, "gone", hosts) ?? { kind: "any", name: null, why: "gone" }
  const { what, remedy, command } = awaitedText(awaited)
  return new DocketError("host_away", `Try again later. This waits ${what} ${remedy} ${command}`)
}
