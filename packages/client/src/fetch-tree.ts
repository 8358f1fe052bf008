import type { MessagePage } from "@docket/core/store"
import { addPage, type TreeState, treeFromSnapshot } from "@docket/core/tree"
import { isRefusal } from "./client-error.ts"
import type { DocketClient } from "./create-docket-client.ts"

export interface PageQuery {
  sessionID: string
  limit: number
  before?: string | undefined
  after?: string | undefined
  /** A message or a part. */
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
 * A tree as it is now, with the pages of the sessions that are wanted. Follow it from `since`. All is asked for at
 * once: a page tells how new it is, and what was changed after the oldest of them is heard again.
 */
export async function fetchTree(
  client: DocketClient,
  { sessionID, pages }: { sessionID: string; pages: PageQuery[] },
  signal: AbortSignal,
): Promise<{ tree: TreeState; since: number }> {
  const asked = Promise.allSettled(pages.map((query) => fetchPlace(client, query, signal)))
  const snapshot = await client.session.tree.query({ sessionID }, { signal })
  let tree = treeFromSnapshot(snapshot.sessions[0]?.rootID ?? sessionID, snapshot)
  let since = snapshot.seq
  for (const [at, answer] of (await asked).entries()) {
    const wanted = pages[at]?.sessionID ?? ""
    // Whatever was answered for a session that is gone.
    if (!tree.sessions[wanted]) continue
    if (answer.status === "rejected") throw answer.reason
    tree = addPage(tree, wanted, answer.value, "start")
    since = Math.min(since, answer.value.seq)
  }
  return { tree, since }
}

/** The page around a place, or the newest one when the service cannot tell what is meant. */
async function fetchPlace(client: DocketClient, query: PageQuery, signal: AbortSignal) {
  const { around, ...newest } = query
  return fetchPage(client, query, signal).catch((error: unknown) => {
    if (around === undefined || !isRefusal(error)) throw error
    return fetchPage(client, newest, signal)
  })
}
