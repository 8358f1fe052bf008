import type { SessionListItem } from "@docket/core/store"

/** The last known state of a tree. */
export interface Seen {
  requests: number
  reviews: number
  /** Time when its work last ended (epoch ms); 0 before the first end. */
  ended: number
}

export interface News {
  kind: "needs" | "review" | "finished" | "failed"
  session: SessionListItem["session"]
}

/**
 * What has happened in the listed trees since `before`: more open requests or reviews, or work that ended without being
 * stopped by a user. The first time the list is read, nothing counts as news.
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
    // The end of a session is not news until all sessions below it have ended too.
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
