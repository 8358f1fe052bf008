import type { Presence, ViewerPlace } from "@docket/core/schema"
import { useEffect } from "react"
import type { TreeStore } from "../tree-store.ts"
import { useTreeState } from "./use-tree.ts"

/** Lets others who have the tree open see that this reader looks at the session, as long as that is on screen. */
export function useViewerPlace(store: TreeStore, sessionID: string | null, view: ViewerPlace["view"]): void {
  useEffect(() => {
    if (sessionID === null) return
    store.lookAt({ sessionID, view })
    return () => store.lookAt(null)
  }, [store, sessionID, view])
}

/** Who reads the tree now, this reader included; null while nobody can tell. */
export function usePresence(store: TreeStore): Presence | null {
  return useTreeState(store, ({ connection, presence }) => (connection === "live" ? presence : null))
}
