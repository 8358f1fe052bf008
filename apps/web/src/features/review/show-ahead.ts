import type { QueryClient, QueryKey } from "@tanstack/react-query"

/** What a page shows of a change that the service has not answered for yet. */
export interface Ahead<Data> {
  before: Data | undefined
  shown: Data | undefined
}

/** Shows a change before it is stored. What was read before it came does not come over it. */
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

/** Takes it back from the page, unless what the service said since stands there. */
export function takeBack<Data>(client: QueryClient, queryKey: QueryKey, ahead: Ahead<Data> | undefined): void {
  if (ahead === undefined || client.getQueryData(queryKey) !== ahead.shown) return
  client.setQueryData(queryKey, ahead.before)
}
