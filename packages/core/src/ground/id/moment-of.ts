/**
 * When an id was made, as text that orders the ids of all kinds that one process made, also within a
 * millisecond. Not for session ids, which descend.
 */
export function momentOf(id: string): string {
  // 12 hex digits of time and 4 of the counter: the rest is random.
  return id.slice(id.indexOf("_") + 1).slice(0, 16)
}
