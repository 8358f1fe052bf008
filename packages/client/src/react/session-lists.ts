import type { SessionListItem } from "@docket/core/schema"
import type { Page } from "@docket/core/store"
import type { InfiniteData, Query, QueryClient, QueryFilters } from "@tanstack/react-query"
import { type ListedQuery, mergeListed, withoutListed } from "../merge-listed.ts"

type ListPage = Page<SessionListItem>
type ListData = ListPage | InfiniteData<ListPage>
type Change = (pages: readonly ListPage[], query: ListedQuery) => ListPage[]

/** The lists of sessions that are kept, brought up to date by what the service tells of rows. */
export interface SessionLists {
  put(item: SessionListItem): void
  remove(sessionID: string): void
  stop(): void
}

/** `filter` names the queries of `session.list`. */
export function createSessionLists(queries: QueryClient, filter: QueryFilters): SessionLists {
  const cache = queries.getQueryCache()
  /** What was told since a list was asked for, which may be older than that. */
  const told = new Map<string, Change[]>()

  const apply = (query: Query, change: Change) =>
    queries.setQueryData<ListData>(query.queryKey, (data) => data && changed(data, change, askedFor(query)))

  const changeAll = (change: Change) => {
    for (const query of cache.findAll(filter)) {
      apply(query, change)
      if (query.state.fetchStatus !== "idle") told.set(query.queryHash, [...(told.get(query.queryHash) ?? []), change])
    }
  }
  const unsubscribe = cache.subscribe((event) => {
    if (event.type !== "updated") return
    const { action, query } = event
    if (action.type !== "fetch" && (action.type !== "success" || action.manual)) return
    const changes = told.get(query.queryHash) ?? []
    told.delete(query.queryHash)
    // A list that is asked for anew knows what was told before, also when the last answer never came.
    if (action.type === "success") for (const change of changes) apply(query, change)
  })
  return {
    put: (item) => changeAll((pages, query) => mergeUnlessOlder(pages, item, query)),
    remove: (sessionID) => changeAll((pages) => withoutListed(pages, sessionID)),
    stop: unsubscribe,
  }
}

/** A row that was told before the list was read changes nothing in it. */
function mergeUnlessOlder(pages: readonly ListPage[], item: SessionListItem, query: ListedQuery): ListPage[] {
  const held = pages.flatMap(({ items }) => items).find(({ session }) => session.id === item.session.id)
  const isOlder = held !== undefined && held.session.time.updated > item.session.time.updated
  return isOlder ? [...pages] : mergeListed(pages, item, query)
}

function changed(data: ListData, change: Change, query: ListedQuery): ListData {
  if ("pages" in data) return { ...data, pages: change(data.pages, query) }
  return change([data], query)[0] ?? data
}

/** tRPC keys a query by its path and `{ input, type }`. */
function askedFor({ queryKey }: Query): ListedQuery {
  const [, options] = queryKey
  return typeof options === "object" && options !== null && "input" in options ? (options.input as ListedQuery) : {}
}
