import { type Past, treeAt } from "@docket/core/replay"
import type { TreeState } from "@docket/core/tree"
import type { LiveTrees } from "./live-trees.ts"
import type { TreeStore, TreeView } from "./tree-store.ts"

/** Tree stores that show trees at a time in the past. */
export interface PastTrees extends LiveTrees {
  /** Sets the time to show (epoch ms). */
  seek(at: number): void
}

/** @param past the past states of the shown tree, whose pages `live` loads */
export function createPastTrees(live: LiveTrees, past: Past, from: number): PastTrees {
  const stores = new Map<TreeStore, TreeStore>()
  const listeners = new Set<() => void>()
  let at = from
  const pastStore = (store: TreeStore): TreeStore => {
    const known = stores.get(store)
    if (known) return known
    const made = storeAt(store, { past, at: () => at, listeners })
    stores.set(store, made)
    return made
  }
  const liveOf = (store: TreeStore) => [...stores].find(([, made]) => made === store)?.[0] ?? store
  return {
    tree: (sessionID, rootID) => pastStore(live.tree(sessionID, rootID)),
    keep: (store) => live.keep(liveOf(store)),
    onItem: live.onItem,
    seek(time) {
      at = time
      for (const listener of listeners) listener()
    },
  }
}

interface PastDeps {
  past: Past
  at(): number
  listeners: Set<() => void>
}

function storeAt(store: TreeStore, { past, at, listeners }: PastDeps): TreeStore {
  let shown: { view: TreeView; at: number; pastView: TreeView } | null = null
  const get = (): TreeView => {
    const view = store.get()
    if (shown?.view === view && shown.at === at()) return shown.pastView
    const pastView = { ...view, tree: view.tree && treeAt(view.tree, past, at()) }
    shown = { view, at: at(), pastView }
    return pastView
  }
  return {
    ...store,
    get,
    subscribe(listener) {
      listeners.add(listener)
      const stop = store.subscribe(listener)
      return () => {
        listeners.delete(listener)
        stop()
      }
    },
    async openLatest(sessionID) {
      const last = lastMessage(past, sessionID, at())
      const { tree } = store.get()
      if (last !== null && !holdsMessage(tree, sessionID, last)) await store.open(sessionID, last)
    },
    loadAfter: async (sessionID) =>
      get().tree?.transcripts[sessionID]?.after === null ? false : store.loadAfter(sessionID),
  }
}

function lastMessage({ moments }: Past, sessionID: string, at: number): string | null {
  return moments.findLast((moment) => moment.sessionID === sessionID && moment.at <= at)?.messageID ?? null
}

function holdsMessage(tree: TreeState | null, sessionID: string, messageID: string): boolean {
  return tree?.transcripts[sessionID]?.messages.some(({ info }) => info.id === messageID) ?? false
}
