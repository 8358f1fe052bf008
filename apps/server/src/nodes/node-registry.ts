import { DocketError } from "@docket/core"
import { type Node, type NodeFacts, type NodeUse, nodeGoneAfterMs, type Place } from "@docket/core/schema"
import type { NodeStore } from "@docket/core/store"
import type { Timers } from "@docket/core/timers"
import type { DatabaseClock } from "./database-clock.ts"

/** How often a node says that it is there (ms). */
const beatMs = 3_000
/** Nodes that are gone for so long are forgotten (ms). */
const forgetAfterMs = 30 * 24 * 3_600_000

/** Finds out that this node is too old for what newer nodes write. */
export interface AgeCheck {
  /** A migration of a newer node without which this node must not go on; null for none. */
  missed(): Promise<string | null>
  /** It has to give its work to other nodes and end. */
  onTooOld(error: DocketError): void
}

interface RegistryDeps extends AgeCheck {
  nodes: NodeStore
  facts: Omit<NodeFacts, "use">
  /** What the process uses now. */
  use(): Promise<NodeUse>
  timers: Timers
  clock: DatabaseClock
  /** Called when an administrator tells this node to drain, and when no longer. */
  onDraining(isDraining: boolean): void
  onError(error: unknown): void
}

export interface NodeRegistry {
  /** Whether the node of this id was there at the last look. */
  isAlive(nodeID: string): boolean
  /** Whether a node with the files of the place was there at the last look. */
  isServed(place: string): boolean
  /** Whether a node with the files of the place takes work; null when there is no such node at all. */
  takesWork(place: string): boolean | null
  /** The places with directories of which a node was there at the last look, each once. */
  directories(): Place[]
  /** Calls `changed` after a look that found other answers of `takesWork`. The returned function ends that. */
  watch(changed: () => void): () => void
  /** Whether an administrator has told this node to drain. */
  isDraining(): boolean
  /** Leaves the list. */
  close(): Promise<void>
}

/** Keeps this node in the list of nodes, and knows which others are there. */
export async function joinNodes({
  nodes,
  facts,
  use,
  timers,
  clock,
  missed,
  onTooOld,
  onDraining,
  onError,
}: RegistryDeps): Promise<NodeRegistry> {
  let alive: Node[] = []
  let isDraining = false
  let isClosed = false
  let isTooOld = false
  const watchers = new Set<() => void>()
  const look = async () => {
    const migration = isTooOld ? null : await missed()
    if (migration !== null) {
      isTooOld = true
      onTooOld(tooOld(facts, migration))
    }
    const own = await nodes.beat({ ...facts, use: await use() })
    const { now, nodes: all } = await clock.ask(nodes.list)
    const before = workPlaces(alive)
    alive = all.filter((node) => isThere(node, now))
    if (workPlaces(alive) !== before) for (const changed of watchers) changed()
    if (own.draining !== isDraining && !isClosed) onDraining(own.draining)
    isDraining = own.draining
    return now
  }
  const now = await look()
  await nodes.forgetBefore(now - forgetAfterMs)
  let looking: Promise<unknown> = Promise.resolve()
  const stop = timers.every(beatMs, () => {
    looking = look().catch(onError)
  })
  return {
    isAlive: (nodeID) => alive.some(({ id }) => id === nodeID),
    isDraining: () => isDraining,
    isServed: (place) => alive.some(({ places }) => places.some((own) => own === place)),
    takesWork(place) {
      const nodes = alive.filter(({ places }) => places.some((own) => own === place))
      return nodes.length === 0 ? null : nodes.some(({ draining }) => !draining)
    },
    // The first place of a worker is that of its directories.
    directories: () => [...new Set(alive.flatMap(({ places }) => places.slice(0, 1)))],
    watch(changed) {
      watchers.add(changed)
      return () => void watchers.delete(changed)
    },
    async close() {
      isClosed = true
      stop()
      await looking
      await nodes.leave(facts.id).catch(onError)
    },
  }
}

function tooOld({ id, version }: Pick<NodeFacts, "id" | "version">, migration: string): DocketError {
  const message = `a newer node has changed the database (migration ${migration}), and this node (${id}, version ${version}) would misread it. It gives its work to other nodes and ends. Install the newer version here.`
  return new DocketError("store_unavailable", message)
}

/** The places of these nodes, with whether a node of it takes work, in a form that can be compared. */
function workPlaces(nodes: readonly Node[]): string {
  const places = nodes.flatMap(({ places, draining }) => places.map((place) => `${place} ${draining}`))
  return [...new Set(places)].sort().join()
}

/** Whether a node gave a sign lately. `now` is of the database's clock, as its own times are. */
function isThere({ time }: Node, now: number): boolean {
  return now - time.seen < nodeGoneAfterMs
}
