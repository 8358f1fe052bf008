import type { UseCases } from "@docket/core"
import type { FeedItem, ViewerTab } from "@docket/core/schema"
import { formatCursor, noTree, parseCursor } from "./cursor.ts"

export interface FollowQuery {
  /** Any session of the tree, or none to follow only what the session list needs. */
  rootID?: string | undefined
  /** Sequence number to continue after; without it, events from now on. */
  since?: number | undefined
  others: boolean
  /** The tab in which others see the caller. */
  viewer?: ViewerTab | undefined
  /** The cursor of the last item that the reader got; wins over `since`. */
  lastEventID?: string | undefined
}

/**
 * The feed with a cursor for each item. Items without a place of their own (text deltas, events of other
 * trees) carry the current cursor, so that a reader can always resume from the last one it has seen. A
 * cursor that is not of this tree answers `resync` first. @throws session_not_found
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
  const foreign = query.lastEventID !== undefined && resumed?.rootID !== rootID
  let seq = resumed?.seq ?? query.since
  if (foreign || seq === undefined) {
    seq = (await runtime.session.tree({ sessionID: rootID })).seq
    if (foreign) yield [formatCursor({ rootID, seq }), { type: "resync", rootID, seq }]
  }
  const { others, viewer } = query
  for await (const item of runtime.feed({ rootID, since: seq, others, viewer }, signal)) {
    if (item.rootID === rootID && item.seq !== null) seq = item.seq
    yield [formatCursor({ rootID, seq }), item]
  }
}
