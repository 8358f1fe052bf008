import type { MessagePage } from "@docket/core/store"
import { addPage, type TreeState, treeFromSnapshot } from "@docket/core/tree"
import { isRefusal } from "./client-error.ts"
import type { DocketClient } from "./create-docket-client.ts"

export interface PageQuery {
  sessionID: string
  limit: number
  before?: string | undefined
  after?: string | undefined
  /** The id of a message or a part. */
  around?: string | undefined
}

export function fetchPage(
  client: DocketClient,
  query: PageQuery,
  signal: AbortSignal,
): Promise<MessagePage & { seq: number }> {
  return client.session.messages.query(query, { signal })
}

/**
 * Fetches a tree with the pages of these sessions, all at once. `since` is the oldest cursor among the answers, so that
 * following from it misses no event.
 */
export async function fetchTree(
  client: DocketClient,
  { sessionID, pages }: { sessionID: string; pages: PageQuery[] },
  signal: AbortSignal,
): Promise<{ tree: TreeState; since: number }> {
  const answers = Promise.allSettled(pages.map((query) => fetchPlace(client, query, signal)))
  const snapshot = await client.session.tree.query({ sessionID }, { signal })
  let tree = treeFromSnapshot(snapshot.sessions[0]?.rootID ?? sessionID, snapshot)
  let since = snapshot.seq
  for (const [at, answer] of (await answers).entries()) {
    const pageSession = pages[at]?.sessionID ?? ""
    // The session was removed in the meantime.
    if (!tree.sessions[pageSession]) continue
    if (answer.status === "rejected") throw answer.reason
    tree = addPage(tree, pageSession, answer.value, "start")
    since = Math.min(since, answer.value.seq)
  }
  return { tree, since }
}

/** The page around a place; the newest page when the service does not find that place. */
async function fetchPlace(client: DocketClient, query: PageQuery, signal: AbortSignal) {
  const { around, ...newest } = query
  return fetchPage(client, query, signal).catch((error: unknown) => {
    if (around === undefined || !isRefusal(error)) throw error
    return fetchPage(client, newest, signal)
  })
}
