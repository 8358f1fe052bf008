import type { SessionListItem } from "@docket/core/schema"
import type { Page } from "@docket/core/store"
import type { InfiniteData, Query, QueryClient, QueryFilters } from "@tanstack/react-query"
import { type ListedQuery, mergeListed, withoutListed } from "../merge-listed.ts"
import { createPushedLists } from "./pushed-lists.ts"

type ListPage = Page<SessionListItem>
type ListData = ListPage | InfiniteData<ListPage>
type Change = (pages: readonly ListPage[], query: ListedQuery) => ListPage[]

/** Updates the cached session lists from the rows that the service sends. */
export interface SessionLists {
  put(item: SessionListItem): void
  remove(sessionID: string): void
  stop(): void
}

/** `filter` names the queries of `session.list`. */
export function createSessionLists(queries: QueryClient, filter: QueryFilters): SessionLists {
  const lists = createPushedLists<ListData>(queries, filter)
  const changeAll = (change: Change) => lists.change((data, query) => changed(data, change, askedFor(query)))
  return {
    put: (item) => changeAll((pages, query) => mergeUnlessOlder(pages, item, query)),
    remove: (sessionID) => changeAll((pages) => withoutListed(pages, sessionID)),
    stop: lists.stop,
  }
}

/** A row that is older than the cached one changes nothing. */
function mergeUnlessOlder(pages: readonly ListPage[], item: SessionListItem, query: ListedQuery): ListPage[] {
  const cached = pages.flatMap(({ items }) => items).find(({ session }) => session.id === item.session.id)
  const isOlder = cached !== undefined && cached.session.time.updated > item.session.time.updated
  return isOlder ? [...pages] : mergeListed(pages, item, query)
}

function changed(data: ListData, change: Change, query: ListedQuery): ListData {
  if ("pages" in data) return { ...data, pages: change(data.pages, query) }
  return change([data], query)[0] ?? data
}

/** The input of a list query. tRPC keys a query by its path and `{ input, type }`. */
function askedFor({ queryKey }: Query): ListedQuery {
  const [, options] = queryKey
  return typeof options === "object" && options !== null && "input" in options ? (options.input as ListedQuery) : {}
}
