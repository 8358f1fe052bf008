import type { TreeVisibility } from "./tree-visibility.ts"

/** How many pages of hidden items are skipped before an incomplete page is returned. */
const maxPages = 50

/** A page without hidden items, filled up from the following pages. */
export async function visiblePage<T>(
  visibility: TreeVisibility,
  query: { limit: number; cursor: string | null },
  {
    read,
    rootOf,
  }: {
    read(limit: number, cursor: string | undefined): Promise<{ items: T[]; cursor: string | null }>
    rootOf(item: T): string
  },
): Promise<{ items: T[]; cursor: string | null }> {
  const trees = await visibility.hidden()
  const items: T[] = []
  let { cursor } = query
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await read(query.limit - items.length, cursor ?? undefined)
    items.push(...page.items.filter((item) => !trees.has(rootOf(item))))
    cursor = page.cursor
    if (cursor === null || items.length >= query.limit) break
  }
  return { items, cursor }
}

/** The first visible items of a list: reads more until there are enough, or no more. */
export async function visibleFirst<T>(
  visibility: TreeVisibility,
  { limit, most }: { limit: number; most: number },
  { read, sessionOf }: { read(limit: number): Promise<T[]>; sessionOf(item: T): string | null },
): Promise<T[]> {
  for (let asked = Math.min(limit, most); ; asked = Math.min(asked * 4, most)) {
    const all = await read(asked)
    const hidden = await visibility.hiddenSessions(all.map(sessionOf))
    const seen = all.filter((item) => !hidden.has(sessionOf(item) ?? ""))
    if (seen.length >= limit || all.length < asked || asked >= most) return seen.slice(0, limit)
  }
}
