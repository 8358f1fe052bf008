import type { FeedItem } from "../ground/schema/index.ts"
import type { CallerServices } from "./caller-services.ts"
import type { TreeVisibility } from "./tree-visibility.ts"

/** Events of trees that the caller sees. @throws session_not_found */
export async function* visibleFeed(
  of: Pick<CallerServices, "feed">,
  visibility: TreeVisibility,
  ...[query, signal]: Parameters<CallerServices["feed"]>
): AsyncGenerator<FeedItem> {
  if (query.rootID !== undefined) await visibility.check("session", query.rootID)
  for await (const item of of.feed(query, signal)) {
    const found = visibility.hiddenFromHearer()
    const trees = found instanceof Promise ? await found : found
    if (trees.isEmpty || !treesOf(item).some(trees.has)) yield item
    // The owner has made the tree private: a new request would find no such session.
    else if (item.rootID === query.rootID) return
  }
}

/** The trees of an event. Schedules and memory belong to no tree but may name a session. */
function treesOf(item: FeedItem): string[] {
  const { rootID } = item
  const named = (sessionID: string | null) => (sessionID === null ? [] : [sessionID])
  switch (item.type) {
    case "memory.updated":
      return named(item.properties.memory.sessionID)
    case "schedule.updated":
      return named(item.properties.schedule.sessionID)
    case "schedule.run.updated":
      return named(item.properties.run.sessionID)
    default:
      return rootID === null ? [] : [rootID]
  }
}
