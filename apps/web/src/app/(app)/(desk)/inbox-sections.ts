import type { SessionListItem } from "@docket/core/store"

/** Most rows of "Recent". */
const recentCount = 15

/** Splits the list: a session that waits for a person is not listed as running too. */
export function inboxSections(items: SessionListItem[]) {
  const needsYou = items.filter((item) => item.needsYou > 0)
  const running = items.filter((item) => item.needsYou === 0 && item.running > 0)
  const recent = items.filter((item) => item.needsYou === 0 && item.running === 0).slice(0, recentCount)
  return { needsYou, running, recent }
}
