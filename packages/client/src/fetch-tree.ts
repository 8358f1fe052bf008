import type { MessagePage } from "@docket/core/store"
import { addPage, type TreeState, treeFromSnapshot } from "@docket/core/tree"
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

/** A tree as it is now, with the pages of the sessions that are wanted. Follow it from `since`. */
export async function fetchTree(
  client: DocketClient,
  { sessionID, pages }: { sessionID: string; pages: PageQuery[] },
  signal: AbortSignal,
): Promise<{ tree: TreeState; since: number }> {
  const snapshot = await client.session.tree.query({ sessionID }, { signal })
  let tree = treeFromSnapshot(snapshot.sessions[0]?.rootID ?? sessionID, snapshot)
  for (const query of pages) {
    if (!tree.sessions[query.sessionID]) continue
    tree = addPage(tree, query.sessionID, await fetchPage(client, query, signal), "start")
  }
  return { tree, since: snapshot.seq }
}
