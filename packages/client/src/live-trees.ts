import type { FeedItem } from "@docket/core/schema"
import type { DocketClient } from "./create-docket-client.ts"
import { subscribeTree } from "./subscribe-tree.ts"
import { createTreeStore, type TreeStore } from "./tree-store.ts"

/** Called for every item; `null` when items of other trees may have been missed: fetch lists again. */
export type ItemListener = (item: FeedItem | null) => void

/** The tree stores of a front end, which share one connection to the service. */
export interface LiveTrees {
  /**
   * The shared store of the session's tree; it loads when it is first used. Pass the root when it is known: the session
   * then shares the store of its tree while that is still loading.
   */
  tree(sessionID: string, rootID?: string): TreeStore
  /** Keeps a store open until the returned function is called; then it closes soon unless kept again. */
  keep(store: TreeStore): () => void
  /** Follows the items of all trees. Returns a function that ends it. */
  onItem(listener: ItemListener): () => void
}

/** How long an unused store stays open (ms), for readers who return to its page. */
const closeAfterMs = 5_000

export function createLiveTrees(client: DocketClient): LiveTrees {
  /** Open stores by the session that was asked for, with their number of users and whether the service refused them. */
  const stores = new Map<string, { store: TreeStore; kept: number; refused: boolean }>()
  const roots = new Map<string, string>()
  const listeners = new Set<ItemListener>()
  let stopOverview: (() => void) | null = null

  const tell = (item: FeedItem | null) => {
    for (const listener of listeners) listener(item)
  }

  /** A followed tree also delivers the items of other trees. Without one, opens a separate feed for these items. */
  const followOverview = () => {
    const isWanted = listeners.size > 0 && ![...stores.values()].some(({ kept, refused }) => kept > 0 && !refused)
    if (isWanted && !stopOverview) {
      const onState = (state: string) => state === "live" && tell(null)
      stopOverview = subscribeTree(client, { onEvent: tell, onState })
    } else if (!isWanted && stopOverview) {
      stopOverview()
      stopOverview = null
    }
  }

  const entryOf = (store: TreeStore) => [...stores].find(([, entry]) => entry.store === store)

  return {
    tree(sessionID, rootID) {
      if (rootID !== undefined) roots.set(sessionID, rootID)
      for (const { store } of stores.values()) if (store.get().tree?.sessions[sessionID]) return store
      const key = roots.get(sessionID) ?? sessionID
      const existing = stores.get(key)
      if (existing) return existing.store
      const onRefused = () => {
        entry.refused = true
        followOverview()
      }
      const onLive = () => tell(null)
      const store = createTreeStore(client, { sessionID: key, others: true, onItem: tell, onLive, onRefused })
      const entry = { store, kept: 0, refused: false }
      stores.set(key, entry)
      return store
    },
    keep(store) {
      const [key, entry] = entryOf(store) ?? []
      if (!key || !entry) return () => undefined
      entry.kept += 1
      followOverview()
      return () => {
        entry.kept -= 1
        setTimeout(() => {
          if (entry.kept > 0 || !stores.delete(key)) return
          store.close()
          followOverview()
        }, closeAfterMs)
      }
    },
    onItem(listener) {
      listeners.add(listener)
      followOverview()
      return () => {
        listeners.delete(listener)
        followOverview()
      }
    },
  }
}
