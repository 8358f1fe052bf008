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
 * The pages of a list as they are once the row of a session is this: new, in another place, or gone from it. A row
 * that stands behind the loaded pages comes with its page. A list that was searched for only gets new rows of those
 * that it has: which words find a session, the service knows.
 */
export function mergeListed(pages: readonly ListPage[], item: SessionListItem, query: ListedQuery): ListPage[] {
  const { id } = item.session
  const had = pages.some(({ items }) => items.some(({ session }) => session.id === id))
  const rest = withoutListed(pages, id)
  if (!belongs(item, query) || (query.search && !had)) return rest
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

/** Puts it where it stands; behind the last row only when no other page follows. */
function withRow(page: ListPage, item: SessionListItem): ListPage {
  const place = page.items.findIndex((it) => isAfter(it, item))
  if (place === -1 && page.cursor !== null) return page
  return { ...page, items: page.items.toSpliced(place === -1 ? page.items.length : place, 0, item) }
}

/** The order of `session.list`: updated last comes first. */
function isAfter(a: SessionListItem, b: SessionListItem): boolean {
  const [left, right] = [a.session.time.updated, b.session.time.updated]
  return left < right || (left === right && a.session.id > b.session.id)
}
