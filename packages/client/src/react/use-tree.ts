import { useEffect, useMemo, useSyncExternalStore } from "react"
import type { TreeSeed } from "../tree-seed.ts"
import type { TreeStore, TreeView } from "../tree-store.ts"
import { useIsHydrating, useLiveTrees } from "./docket-provider.tsx"

/**
 * The live tree of a session, without messages. The sessions of a tree share one store and one connection; until the
 * tree is loaded, only those that pass `rootID`. `seed`: the initial content. Read the store with `useTreeState`.
 */
export function useTree(sessionID: string, rootID?: string, seed: TreeSeed | null = null): TreeStore {
  const live = useLiveTrees()
  const store = useMemo(() => {
    const opened = live.tree(sessionID, rootID)
    if (seed !== null) opened.begin(seed)
    return opened
  }, [live, sessionID, rootID, seed])
  useEffect(() => live.keep(store), [live, store])
  return store
}

/**
 * Like `useTree`, with that session's messages loaded: the newest, or those around a message or part. Load more with
 * `loadBefore` and `loadAfter`.
 */
export function useTranscript(
  sessionID: string,
  place: { around?: string | null; rootID?: string; seed?: TreeSeed | null } = {},
): TreeStore {
  const store = useTree(sessionID, place.rootID, place.seed)
  const around = place.around ?? undefined
  useEffect(() => void store.open(sessionID, around), [store, sessionID, around])
  return store
}

/**
 * The value that `select` takes from the tree; renders again only when that value changes. `select` must return an
 * object that the view holds, or a primitive: a new object each time would render forever.
 */
export function useTreeState<T>(store: TreeStore, select: (view: TreeView) => T): T {
  const isHydrating = useIsHydrating()
  return useSyncExternalStore(
    store.subscribe,
    () => select(isHydrating ? store.getSent() : store.get()),
    () => select(store.getSent()),
  )
}
