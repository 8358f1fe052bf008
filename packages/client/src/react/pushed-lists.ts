import type { Query, QueryClient, QueryFilters } from "@tanstack/react-query"

/** What changes a list that was asked for with this query. */
export type ListChange<Data> = (data: Data, query: Query) => Data

/** Lists that are kept, brought up to date by what the service tells of their rows. */
export interface PushedLists<Data> {
  change(change: ListChange<Data>): void
  stop(): void
}

/** `filter` names the queries of the lists, all of which hold `Data`. */
export function createPushedLists<Data>(queries: QueryClient, filter: QueryFilters): PushedLists<Data> {
  const cache = queries.getQueryCache()
  /** What was told since a list was asked for, which may be older than that. */
  const told = new Map<string, ListChange<Data>[]>()
  const apply = (query: Query, change: ListChange<Data>) =>
    queries.setQueryData<Data>(query.queryKey, (data) => (data === undefined ? data : change(data, query)))

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
    change(change) {
      for (const query of cache.findAll(filter)) {
        apply(query, change)
        if (query.state.fetchStatus !== "idle")
          told.set(query.queryHash, [...(told.get(query.queryHash) ?? []), change])
      }
    },
    stop: unsubscribe,
  }
}
