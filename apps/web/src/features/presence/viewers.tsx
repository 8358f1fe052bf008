"use client"

import type { TreeStore } from "@docket/client"
import dynamic from "next/dynamic"
import { lazyPart } from "../../ui/lazy-part.tsx"
import { loadPart } from "../../ui/load-part.ts"
import { useOthers } from "./tree-presence.tsx"

// Not needed by a user who is alone.
const ViewerList = lazyPart(
  dynamic(() => loadPart(() => import("./viewer-list.tsx").then((it) => it.ViewerList)), { ssr: false }),
  { note: "corner" },
)

/** Other viewers of the tree, and the number of share link readers; nothing when there are none. */
export function Viewers({ store }: { store: TreeStore }) {
  const { viewers, readers } = useOthers()
  return viewers.length === 0 && readers === 0 ? null : <ViewerList store={store} />
}
