import type { UseCases } from "@docket/core"
import type { EditorReader, FeedItem, ViewerTab } from "@docket/core/schema"
import { formatCursor, noTree, parseCursor } from "./cursor.ts"

export interface FollowQuery {
  /** Any session of the tree. Without it, only the events that lists of sessions need. */
  rootID?: string | undefined
  /** The sequence number to continue after. Without it, events from now on. */
  since?: number | undefined
  /** Whether events of other trees come too, as lists of sessions need them. */
  others: boolean
  /** The tab in which others see the caller. */
  viewer?: ViewerTab | undefined
  /** The caller's editor, which is asked about the tree. It counts only for whoever began the tree. */
  editor?: EditorReader | undefined
  /** The cursor of the last item that the reader received. It counts more than `since`. */
  lastEventID?: string | undefined
}

/**
 * The feed with a cursor for each item. Items without their own place (text deltas, events of other trees) have the
 * current cursor, so a reader can always resume from the last one that it saw. With a cursor of another tree, the first
 * item is `resync`. @throws session_not_found
 */
export async function* followTree(
  runtime: UseCases,
  query: FollowQuery,
  signal: AbortSignal,
): AsyncGenerator<[cursor: string, item: FeedItem]> {
  if (query.rootID === undefined) {
    const cursor = formatCursor({ rootID: noTree, seq: 0 })
    for await (const item of runtime.feed({ others: true }, signal)) yield [cursor, item]
    return
  }
  const { rootID } = await runtime.session.get({ sessionID: query.rootID })
  const resumed = query.lastEventID === undefined ? null : parseCursor(query.lastEventID)
  const isOfOtherTree = query.lastEventID !== undefined && resumed?.rootID !== rootID
  let seq = resumed?.seq ?? query.since
  if (isOfOtherTree || seq === undefined) {
    seq = (await runtime.session.tree({ sessionID: rootID })).seq
    if (isOfOtherTree) yield [formatCursor({ rootID, seq }), { type: "resync", rootID, seq }]
  }
  const { others, viewer, editor } = query
  for await (const item of runtime.feed({ rootID, since: seq, others, viewer, editor }, signal)) {
    if (item.rootID === rootID && item.seq !== null) seq = item.seq
    yield [formatCursor({ rootID, seq }), item]
  }
}
