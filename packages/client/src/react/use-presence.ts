import type { Presence, ViewerPlace } from "@docket/core/schema"
import { useEffect } from "react"
import type { TreeStore } from "../tree-store.ts"
import { useTreeState } from "./use-tree.ts"

/** Shows other viewers of the tree that this user looks at the session, as long as it is on screen. */
export function useViewerPlace(store: TreeStore, sessionID: string | null, view: ViewerPlace["view"]): void {
  useEffect(() => {
    if (sessionID === null) return
    store.lookAt({ sessionID, view })
    return () => store.lookAt(null)
  }, [store, sessionID, view])
}

/** The viewers of the tree now, including this one; null while the connection is lost. */
export function usePresence(store: TreeStore): Presence | null {
  return useTreeState(store, ({ connection, presence }) => (connection === "live" ? presence : null))
}
