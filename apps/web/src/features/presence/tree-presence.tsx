"use client"

import type { TreeStore } from "@docket/client"
import { usePresence, useViewerPlace } from "@docket/client/react"
import type { ViewerPlace } from "@docket/core/schema"
import { createContext, type ReactNode, useContext, useMemo } from "react"
import { useMe } from "../../shell/me.tsx"
import { nobody, type Others, othersOf } from "./others-of.ts"

const Context = createContext<Others>(nobody)

interface TreePresenceProps {
  store: TreeStore
  /** The session on screen; null while it is not known. */
  sessionID: string | null
  view: ViewerPlace["view"]
  children: ReactNode
}

/** Shows other viewers where this user is in the tree, and provides the other viewers to the components below. */
export function TreePresence({ store, sessionID, view, children }: TreePresenceProps) {
  useViewerPlace(store, sessionID, view)
  const presence = usePresence(store)
  const { person } = useMe()
  const others = useMemo(() => othersOf(presence, person), [presence, person])
  return <Context value={others}>{children}</Context>
}

export function useOthers(): Others {
  return useContext(Context)
}
