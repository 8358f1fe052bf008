import type { UnjudgedTask } from "@docket/core"
import type { SessionListItem } from "@docket/core/schema"
import type { InfiniteData, QueryClient, QueryFilters } from "@tanstack/react-query"
import { type InboxPage, type ListedTask, mergeAwaiting, mergeUnjudged, withoutTasks } from "../merge-unjudged.ts"
import { createPushedLists } from "./pushed-lists.ts"

/** Updates the cached review lists from the service's task events. */
export interface ReviewLists {
  put(listed: ListedTask): void
  /** A session was removed with all below it, or its tree was archived. */
  remove(sessionID: string): void
  /** Updates the title of a tree. */
  rename(session: SessionListItem["session"]): void
  stop(): void
}

interface Filters {
  /** The queries of `review.inbox`. */
  inbox: QueryFilters
  /** The queries of `review.awaiting`. */
  awaiting: QueryFilters
}

type InboxData = InboxPage | InfiniteData<InboxPage>

export function createReviewLists(queries: QueryClient, filters: Filters, person: string): ReviewLists {
  const inbox = createPushedLists<InboxData>(queries, filters.inbox)
  const awaiting = createPushedLists<UnjudgedTask[]>(queries, filters.awaiting)
  const changeInbox = (change: (pages: readonly InboxPage[]) => InboxPage[]) =>
    inbox.change((data) => ("pages" in data ? { ...data, pages: change(data.pages) } : (change([data])[0] ?? data)))
  return {
    put(listed) {
      changeInbox((pages) => mergeUnjudged(pages, listed, person))
      awaiting.change((items) => mergeAwaiting(items, listed))
    },
    remove(sessionID) {
      const isGone = ({ task }: UnjudgedTask) => task.rootID === sessionID || task.sessionID === sessionID
      changeInbox((pages) => withoutTasks(pages, isGone))
      awaiting.change((items) => items.filter((item) => !isGone(item)))
    },
    rename({ id, title }) {
      const titled = (item: UnjudgedTask) =>
        item.task.rootID === id && item.title !== title ? { ...item, title } : item
      changeInbox((pages) => pages.map((page) => ({ ...page, items: page.items.map(titled) })))
      awaiting.change((items) => items.map(titled))
    },
    stop() {
      inbox.stop()
      awaiting.stop()
    },
  }
}
