import type { EventTraits } from "../schema/event.ts"
import { events } from "../schema/event.ts"
import type { DocketEvent } from "../schema/index.ts"
import type { Bus } from "./bus.ts"
import { createPeerState, type PeerState } from "./peer-state.ts"
import type { Peers } from "./peers.ts"

/** Passes events without a row between the runtimes on a store. Those that only readers need go to where they read. */
export interface Relay {
  /** The tree is read here, or every tree (null), until the returned function is called. */
  read(rootID: string | null): () => void
  close(): void
}

/** For a store with one runtime. */
export const noRelay: Relay = { read: () => () => {}, close: () => {} }

/** The key under which a runtime says that it reads every tree. */
const everyTree = "*"

export function createRelay({ peers, bus }: { peers: Peers; bus: Bus }): Relay {
  const readers = createReaders(createPeerState<true>({ peers }, "readers"))
  /** Events of other runtimes: they are not passed back. */
  const foreign = new WeakSet<DocketEvent>()
  const unsubscribe = bus.subscribe((event) => {
    if (event.seq !== null || foreign.has(event)) return
    const whom = peersOf(event)
    if (whom === "all" || (whom === "readers" && event.rootID !== null && readers.areElsewhere(event.rootID)))
      peers.tell({ kind: "events", events: [event] })
  })
  const unlisten = peers.listen((news) => {
    if (news?.kind !== "events") return
    for (const event of news.events) {
      // A runtime of another version may tell what this one does not know.
      if (!(event.type in events)) continue
      foreign.add(event)
      bus.publish(event)
    }
  })
  return {
    read: (rootID) => readers.enter(rootID ?? everyTree),
    close() {
      unsubscribe()
      unlisten()
      readers.close()
    },
  }
}

function createReaders(state: PeerState<true>) {
  const counts = new Map<string, number>()
  const add = (key: string, change: 1 | -1) => {
    const count = (counts.get(key) ?? 0) + change
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
    if (count === 0) state.put(key, null)
    else if (count === 1 && change === 1) state.put(key, true)
  }
  return {
    areElsewhere: (rootID: string) => state.others(rootID).length > 0 || state.others(everyTree).length > 0,
    enter(key: string) {
      add(key, 1)
      let isHere = true
      return () => {
        if (isHere) add(key, -1)
        isHere = false
      }
    },
    close: state.close,
  }
}

function peersOf({ type, properties }: DocketEvent): "all" | "readers" | null {
  const { peers } = (events[type].traits ?? {}) as EventTraits<DocketEvent["properties"]>
  return peers?.(properties) ?? null
}
