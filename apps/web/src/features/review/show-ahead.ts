import type { QueryClient, QueryKey } from "@tanstack/react-query"

/** A change that a page shows before the service has answered (optimistic update). */
export interface Ahead<Data> {
  before: Data | undefined
  shown: Data | undefined
}

/** Shows a change before it is stored. Cancels running fetches, whose older answers would overwrite it. */
export async function showAhead<Data>(
  client: QueryClient,
  queryKey: QueryKey,
  change: (data: Data) => Data,
): Promise<Ahead<Data>> {
  await client.cancelQueries({ queryKey })
  const before = client.getQueryData<Data>(queryKey)
  const shown = client.setQueryData<Data>(queryKey, before === undefined ? undefined : change(before))
  return { before, shown }
}

/** Undoes the change on the page, unless newer data from the service has replaced it. */
export function takeBack<Data>(client: QueryClient, queryKey: QueryKey, ahead: Ahead<Data> | undefined): void {
  if (ahead === undefined || client.getQueryData(queryKey) !== ahead.shown) return
  client.setQueryData(queryKey, ahead.before)
}
