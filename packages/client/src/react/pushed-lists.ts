import type { Query, QueryClient, QueryFilters } from "@tanstack/react-query"

/** Changes the cached data of one list query. */
export type ListChange<Data> = (data: Data, query: Query) => Data

/** Applies the row changes that the service sends to cached lists. */
export interface PushedLists<Data> {
  change(change: ListChange<Data>): void
  stop(): void
}

/** `filter` names the queries of the lists, all of which hold `Data`. */
export function createPushedLists<Data>(queries: QueryClient, filter: QueryFilters): PushedLists<Data> {
  const cache = queries.getQueryCache()
  /** Changes that arrive while a list is being fetched: the answer may be older than they are. */
  const sinceFetch = new Map<string, ListChange<Data>[]>()
  const apply = (query: Query, change: ListChange<Data>) =>
    queries.setQueryData<Data>(query.queryKey, (data) => (data === undefined ? data : change(data, query)))

  const unsubscribe = cache.subscribe((event) => {
    if (event.type !== "updated") return
    const { action, query } = event
    // `manual` marks our own `setQueryData`.
    const isAnswer = action.type === "success" && !action.manual
    if (action.type !== "fetch" && !isAnswer) return
    const changes = sinceFetch.get(query.queryHash) ?? []
    sinceFetch.delete(query.queryHash)
    // A new fetch includes all earlier changes, even if the previous fetch got no answer.
    if (isAnswer) for (const change of changes) apply(query, change)
  })
  return {
    change(change) {
      for (const query of cache.findAll(filter)) {
        apply(query, change)
        if (query.state.fetchStatus !== "idle")
          sinceFetch.set(query.queryHash, [...(sinceFetch.get(query.queryHash) ?? []), change])
      }
    },
    stop: unsubscribe,
  }
}
