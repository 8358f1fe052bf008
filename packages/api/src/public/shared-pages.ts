import type { UseCases } from "@docket/core"
import type { MessageWithParts, Session, ShareInfo } from "@docket/core/schema"
import { goneWhenDead } from "./open-share.ts"

/** Messages that are held at a time. */
const pageSize = 25
/** Before the id of every message. */
const beforeAll = "msg_"

/** A transcript of a share from its beginning, page by page. Ends with an error when the link dies. */
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

/** Each session before those that it delegated to, and these as they were made. */
export function inTreeOrder(sessions: readonly Session[]): Session[] {
  const below = Map.groupBy(sessions, ({ parentID }) => parentID)
  const under = (parentID: string | null): Session[] =>
    (below.get(parentID) ?? [])
      .toSorted((left, right) => left.time.created - right.time.created || (left.id < right.id ? -1 : 1))
      .flatMap((session) => [session, ...under(session.id)])
  return under(null)
}
