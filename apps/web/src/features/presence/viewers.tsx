"use client"

import type { TreeStore } from "@docket/client"
import dynamic from "next/dynamic"
import { lazyPart } from "../../ui/lazy-part.tsx"
import { loadPart } from "../../ui/load-part.ts"
import { useOthers } from "./tree-presence.tsx"

// Whoever reads alone needs none of it.
const ViewerList = lazyPart(
  dynamic(() => loadPart(() => import("./viewer-list.tsx").then((it) => it.ViewerList)), { ssr: false }),
  { note: "corner" },
)

/** Who else has the tree open, and how many read it by links; nothing when nobody does. */
export function Viewers({ store }: { store: TreeStore }) {
  const { viewers, readers } = useOthers()
  return viewers.length === 0 && readers === 0 ? null : <ViewerList store={store} />
}
