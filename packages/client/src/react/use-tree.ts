import { useEffect, useMemo, useSyncExternalStore } from "react"
import type { TreeStore, TreeView } from "../tree-store.ts"
import { useLiveTrees } from "./docket-provider.tsx"

/**
 * The live tree of a session, without messages. All members of a tree share one store and one connection, also while
 * it loads when they name their root. Read it with `useTreeState`.
 */
export function useTree(sessionID: string, rootID?: string): TreeStore {
  const live = useLiveTrees()
  const store = useMemo(() => live.tree(sessionID, rootID), [live, sessionID, rootID])
  useEffect(() => live.keep(store), [live, store])
  return store
}

/**
 * The same with that session's messages loaded: the newest, or those around a message or part. Page with `loadBefore`
 * and `loadAfter`.
 */
export function useTranscript(sessionID: string, place: { around?: string | null; rootID?: string } = {}): TreeStore {
  const store = useTree(sessionID, place.rootID)
  const around = place.around ?? undefined
  useEffect(() => void store.open(sessionID, around), [store, sessionID, around])
  return store
}

/**
 * What `select` takes from the tree; renders again only when that is another value. `select` must return
 * something the view holds, or a primitive: a new object each time would render without end.
 */
export function useTreeState<T>(store: TreeStore, select: (view: TreeView) => T): T {
  const read = () => select(store.get())
  return useSyncExternalStore(store.subscribe, read, read)
}
