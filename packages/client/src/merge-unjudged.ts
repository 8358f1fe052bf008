import type { UnjudgedTask } from "@docket/core"
import type { EventProperties } from "@docket/core/schema"

/** A task in the form in which the service sends it to lists. */
export type ListedTask = EventProperties<"task.listed">

/** A page of `review.inbox`. */
export interface InboxPage {
  items: UnjudgedTask[]
  cursor: string | null
}

/**
 * Adds, moves or removes a task in the loaded pages of a user's inbox. A task that belongs after the loaded pages is
 * left out until its page is loaded.
 */
export function mergeUnjudged(pages: readonly InboxPage[], listed: ListedTask, person: string): InboxPage[] {
  const rest = withoutTasks(pages, ({ task }) => task.id === listed.task.id)
  if (listed.task.time.ended === null || listed.judgedBy.includes(person)) return rest
  const item = { task: listed.task, title: listed.title }
  const at = rest.findIndex((page, index) => index === rest.length - 1 || page.items.some((it) => isAfter(it, item)))
  return rest.map((page, index) => (index === at ? withRow(page, item) : page))
}

/** The tasks that await a review, oldest first, with this one added, replaced or removed. */
export function mergeAwaiting(items: readonly UnjudgedTask[], { task, title }: ListedTask): UnjudgedTask[] {
  const at = items.findIndex((item) => item.task.id === task.id)
  if (task.state !== "awaiting_review") return at < 0 ? [...items] : items.toSpliced(at, 1)
  return at < 0 ? [...items, { task, title }] : items.with(at, { task, title })
}

/** The pages without some tasks; pages that have none of them stay the same. */
export function withoutTasks(pages: readonly InboxPage[], isGone: (item: UnjudgedTask) => boolean): InboxPage[] {
  return pages.map((page) => {
    const items = page.items.filter((item) => !isGone(item))
    return items.length === page.items.length ? page : { ...page, items }
  })
}

/** Inserts the row in order; at the end only when there is no further page. */
function withRow(page: InboxPage, item: UnjudgedTask): InboxPage {
  const place = page.items.findIndex((it) => isAfter(it, item))
  if (place === -1 && page.cursor !== null) return page
  return { ...page, items: page.items.toSpliced(place === -1 ? page.items.length : place, 0, item) }
}

/** The order of `review.inbox`: the task that ended last comes first. */
function isAfter(a: UnjudgedTask, b: UnjudgedTask): boolean {
  const [left, right] = [a.task.time.ended ?? 0, b.task.time.ended ?? 0]
  return left < right || (left === right && a.task.id > b.task.id)
}
