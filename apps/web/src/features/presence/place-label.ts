import type { ViewerPlace } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import type { TreeState } from "@docket/core/tree"

/** What a viewer does at a place: "reads “Tidy up”"; null when it is no longer in the tree. */
export function placeLabel(tree: TreeState, { sessionID, view }: ViewerPlace): string | null {
  const session = tree.sessions[sessionID]
  if (session === undefined) return null
  return `${view === "review" ? "reviews" : "reads"} “${shortTitle(session)}”`
}
