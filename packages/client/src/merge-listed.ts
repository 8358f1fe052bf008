import type { SessionListItem } from "@docket/core/schema"
import type { Page } from "@docket/core/store"

/** What a list of sessions was asked for, as `session.list` takes it. */
export interface ListedQuery {
  projectID?: string | undefined
  search?: string | undefined
  archived?: boolean | undefined
}

type ListPage = Page<SessionListItem>

/**
 * Adds, moves or removes the row of a session in loaded pages. A row that belongs after the loaded pages is left out
 * until its page is loaded. In search results only existing rows change: only the service knows what a search finds.
 */
export function mergeListed(pages: readonly ListPage[], item: SessionListItem, query: ListedQuery): ListPage[] {
  const { id } = item.session
  const had = pages.some(({ items }) => items.some(({ session }) => session.id === id))
  const rest = withoutListed(pages, id)
  const belongsHere = belongs(item, query) && (had || !query.search)
  if (!belongsHere) return rest
  const at = rest.findIndex((page, index) => index === rest.length - 1 || page.items.some((it) => isAfter(it, item)))
  return rest.map((page, index) => (index === at ? withRow(page, item) : page))
}

/** The pages without a session; pages that do not have it stay the same. */
export function withoutListed(pages: readonly ListPage[], id: string): ListPage[] {
  return pages.map((page) => {
    const items = page.items.filter(({ session }) => session.id !== id)
    return items.length === page.items.length ? page : { ...page, items }
  })
}

function belongs({ session }: SessionListItem, { archived = false, projectID }: ListedQuery): boolean {
  if ((session.time.archived !== null) !== archived) return false
  return projectID === undefined || session.projectID === projectID
}

/** Inserts the row in order; at the end only when there is no further page. */
function withRow(page: ListPage, item: SessionListItem): ListPage {
  const place = page.items.findIndex((it) => isAfter(it, item))
  if (place === -1 && page.cursor !== null) return page
  return { ...page, items: page.items.toSpliced(place === -1 ? page.items.length : place, 0, item) }
}

/** The order of `session.list`: newest update first. */
function isAfter(a: SessionListItem, b: SessionListItem): boolean {
  const [left, right] = [a.session.time.updated, b.session.time.updated]
  return left < right || (left === right && a.session.id > b.session.id)
}
