import type { UseCases } from "@docket/core"
import type { MessageWithParts, Session, ShareInfo } from "@docket/core/schema"
import { goneWhenDead } from "./open-share.ts"

/** How many messages are in memory at a time. */
const pageSize = 25
/** Sorts before the id of every message. */
const beforeAll = "msg_"

/** The transcript of a share from its beginning, page by page. Fails when the link ends. */
export async function* sharedPages(
  runtime: UseCases,
  share: ShareInfo,
  sessionID: string,
): AsyncGenerator<MessageWithParts[]> {
  let after: string | null = beforeAll
  while (after !== null) {
    const query = { sessionID, after, limit: pageSize }
    const page: Awaited<ReturnType<UseCases["links"]["copy"]["messages"]>> = await goneWhenDead(
      runtime.links.copy.messages(share.id, query),
    )
    if (page.items.length > 0) yield page.items
    after = page.after
  }
}

/** Each session before its children, and children in the order of their creation. */
export function inTreeOrder(sessions: readonly Session[]): Session[] {
  const below = Map.groupBy(sessions, ({ parentID }) => parentID)
  const under = (parentID: string | null): Session[] =>
    (below.get(parentID) ?? [])
      .toSorted((left, right) => left.time.created - right.time.created || (left.id < right.id ? -1 : 1))
      .flatMap((session) => [session, ...under(session.id)])
  return under(null)
}
