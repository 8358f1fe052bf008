import type { SessionListItem } from "@docket/core/schema"

/** Maximum number of rows in "Recent". */
const recentCount = 15

/** Splits the list. A session that waits for a user is not listed as running too. Reviews have rows of their own. */
export function inboxSections(items: readonly SessionListItem[]) {
  const asks = ({ needsYou, reviews }: SessionListItem) => needsYou > reviews
  const asking = items.filter(asks)
  const running = items.filter((item) => !asks(item) && item.running > 0)
  const recent = items.filter((item) => !asks(item) && item.running === 0).slice(0, recentCount)
  return { asking, running, recent }
}
