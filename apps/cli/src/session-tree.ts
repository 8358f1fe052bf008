import {
  applyEvent,
  type ConnectionState,
  type DocketClient,
  type FeedItem,
  subscribeTree,
  type TreeState,
  treeFromSnapshot,
} from "@docket/client"
import type { EditorReader } from "@docket/core/schema"

/** A tree of sessions as it stands, without transcripts, and what happens in it. */
export interface SessionTree {
  get(): TreeState
  close(): void
}

export interface SessionTreeOptions {
  /** The editor that shows the tree: items of the type `editor.asked` come too. */
  editor?: EditorReader | undefined
  /** Called for each item in order; the next one waits for it. The tree has the item already. */
  onItem(item: FeedItem): Promise<void>
  /** Called when events were missed: the tree is new, and messages have to be read again. */
  onMissed(): Promise<void>
  /** Called when the tree cannot be followed any more. */
  onGone(reason: unknown): void
  /** Called when the connection is lost and when it is back; it is tried again by itself. */
  onState?(state: ConnectionState): void
  /** Adds work to the queue of items. */
  enqueue(work: () => Promise<void>): void
}

/** Follows the tree of a session until it is closed. */
export async function followTree(
  docket: DocketClient,
  sessionID: string,
  { editor, onItem, onMissed, onGone, onState, enqueue }: SessionTreeOptions,
): Promise<SessionTree> {
  const closed = new AbortController()
  let tree: TreeState
  let stop = () => {}

  const follow = async () => {
    const snapshot = await docket.session.tree.query({ sessionID }, { signal: closed.signal })
    tree = treeFromSnapshot(snapshot.sessions[0]?.rootID ?? sessionID, snapshot)
    stop = subscribeTree(docket, {
      sessionID,
      since: snapshot.seq,
      others: false,
      ...(editor && { editor }),
      signal: closed.signal,
      onError: onGone,
      ...(onState && { onState }),
      onEvent: (item) => enqueue(() => handle(item)),
    })
    return tree
  }

  const handle = async (item: FeedItem) => {
    if (closed.signal.aborted) return
    if (item.type === "resync") {
      stop()
      await follow()
      await onMissed()
    } else {
      tree = applyEvent(tree, item)
      await onItem(item)
    }
  }

  tree = await follow()
  return {
    get: () => tree,
    close() {
      closed.abort()
    },
  }
}
