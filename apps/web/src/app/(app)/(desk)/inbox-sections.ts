import type { SessionListItem } from "@docket/core/schema"

/** Maximum number of rows in "Recent". */
const recentCount = 15

/**
 * Splits the list. A session that waits for an answer is not listed as running too. Reviews have rows of their own, so
 * a session that waits for nothing else is not asking.
 */
export function inboxSections(items: readonly SessionListItem[]) {
  // `needsYou` counts reviews too.
  const asks = ({ needsYou, reviews }: SessionListItem) => needsYou - reviews > 0
  const asking = items.filter(asks)
  const running = items.filter((item) => !asks(item) && item.running > 0)
  const recent = items.filter((item) => !asks(item) && item.running === 0).slice(0, recentCount)
  return { asking, running, recent }
}
