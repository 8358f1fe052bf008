import type { FeedItem } from "../ground/schema/index.ts"
import type { CallerServices } from "./caller-services.ts"
import type { TreeVisibility } from "./tree-visibility.ts"

/** Events of trees that the caller sees. @throws session_not_found */
export async function* visibleFeed(
  services: Pick<CallerServices, "feed">,
  visibility: TreeVisibility,
  query: Parameters<CallerServices["feed"]>[0],
  signal: AbortSignal,
): AsyncGenerator<FeedItem> {
  if (query.rootID !== undefined) await visibility.check("session", query.rootID)
  for await (const item of services.feed(query, signal)) {
    const hidden = visibility.hiddenFromSubscriber()
    // Awaits only a promise, because an `await` for each event of a stream would cost time.
    const hiddenTrees = hidden instanceof Promise ? await hidden : hidden
    if (hiddenTrees.isEmpty || !treesOf(item).some(hiddenTrees.has)) yield item
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
