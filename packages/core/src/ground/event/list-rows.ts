import type { DocketEvent, SessionListItem } from "../schema/index.ts"
import { isReviewNews } from "../store/task-ends.ts"
import type { Bus } from "./bus.ts"
import { createRowNotifier, type RowNotifier } from "./row-notifier.ts"

export interface ListRowsDeps {
  store: { listed(rootIDs: readonly string[]): Promise<SessionListItem[]> }
  bus: Bus
  pauseMs: number
  onError(error: unknown): void
}

/** Events that change a list row: its session, how much runs and waits in the tree, or the usage of the tree. */
const shown = new Set<DocketEvent["type"]>([
  "session.created",
  "session.updated",
  "session.deleted",
  "permission.asked",
  "permission.replied",
])

/** Publishes the list row of a tree when a change in the tree affects it. */
export function createListRows({ store, bus, ...deps }: ListRowsDeps): RowNotifier {
  return createRowNotifier({
    ...deps,
    bus,
    keyOf: (event) => (isShown(event) ? event.rootID : null),
    async tell(rootIDs) {
      for (const item of await store.listed(rootIDs)) {
        const { id } = item.session
        bus.publish({ type: "session.listed", rootID: id, seq: null, properties: { item } })
      }
    },
  })
}

function isShown(event: DocketEvent): boolean {
  return shown.has(event.type) || (event.type === "task.updated" && isReviewNews(event.properties.task))
}
