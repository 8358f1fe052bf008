import type { ViewerPlace } from "@docket/core/schema"
import type { TreeState } from "@docket/core/tree"
import { newestTasks } from "@docket/core/work-status"

/** The address of a viewer's place; null when it is no longer in the tree. */
export function placeHref(tree: TreeState, place: ViewerPlace): string | null {
  if (tree.sessions[place.sessionID] === undefined) return null
  const { rootID } = tree
  if (place.view === "session") return place.sessionID === rootID ? `/s/${rootID}` : `/s/${rootID}/c/${place.sessionID}`
  const task = newestTasks(Object.values(tree.tasks)).get(place.sessionID)
  return `/review/${rootID}?task=${task?.id ?? "root"}`
}
