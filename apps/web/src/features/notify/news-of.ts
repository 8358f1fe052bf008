import type { SessionListItem } from "@docket/core/store"

/** What was last known of a tree. */
export interface Seen {
  requests: number
  reviews: number
  /** When its work last ended, in epoch ms; 0 before it ever did. */
  ended: number
}

export interface News {
  kind: "needs" | "review" | "finished" | "failed"
  session: SessionListItem["session"]
}

/**
 * What has happened in the listed trees since `before`: more requests or reviews asked for than then, or work that has ended and was not
 * stopped by a person. Nothing is news when the list is read for the first time.
 */
export function newsOf(
  before: ReadonlyMap<string, Seen> | null,
  items: readonly SessionListItem[],
): { news: News[]; seen: Map<string, Seen> } {
  const news: News[] = []
  const seen = new Map(before)
  for (const { session, needsYou, reviews, running } of items) {
    const known = before?.get(session.id) ?? { requests: 0, reviews: 0, ended: 0 }
    const requests = needsYou - reviews
    // Until everything below it has ended too, its end is no news.
    const ended = running > 0 ? known.ended : (session.ended?.at ?? 0)
    seen.set(session.id, { requests, reviews, ended })
    if (before === null) continue
    if (requests > known.requests) news.push({ kind: "needs", session })
    else if (reviews > known.reviews) news.push({ kind: "review", session })
    else if (ended > known.ended && session.ended?.how === "completed") news.push({ kind: "finished", session })
    else if (ended > known.ended && session.ended?.how === "failed") news.push({ kind: "failed", session })
  }
  return { news, seen }
}
