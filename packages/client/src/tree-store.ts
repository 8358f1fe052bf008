import { addPage, applyEvent, replacePart, type TreeState, treeFromSnapshot } from "@docket/core/message"
import type { FeedItem } from "@docket/core/schema"
import type { MessagePage } from "@docket/core/store"
import { type DocketClientError, httpStatus, isClientError } from "./client-error.ts"
import type { DocketClient } from "./create-docket-client.ts"
import { createListeners } from "./listeners.ts"
import { createPartRefetch } from "./part-refetch.ts"
import { type ConnectionState, subscribeTree } from "./subscribe-tree.ts"

/** What a front end shows of a tree. A new object for each change; unchanged parts keep their identity. */
export interface TreeView {
  /** Null until the first snapshot has arrived. */
  tree: TreeState | null
  connection: ConnectionState
  /** Why the tree cannot be shown or followed any more; null while all is well. */
  error: DocketClientError | null
}

/** A live copy of one session tree. It begins to load at the first `subscribe` or `open`. */
export interface TreeStore {
  get(): TreeView
  /** Calls back after changes, at most once in 16 ms. Returns a function that ends it. */
  subscribe(listener: () => void): () => void
  /** Loads a session's newest messages, or those around a message or part, and keeps them up to date. */
  open(sessionID: string, around?: string): Promise<void>
  /** Shows the newest messages again, after `open` went to another place. */
  openLatest(sessionID: string): Promise<void>
  /** Loads the messages before (after) the loaded ones. False when there are none. */
  loadBefore(sessionID: string): Promise<boolean>
  loadAfter(sessionID: string): Promise<boolean>
  /** Ends the subscription. The store stays readable. */
  close(): void
}

export interface TreeStoreOptions {
  /** Any session of the tree. */
  sessionID: string
  /** Also follow other trees; their events go to `onItem`. */
  others?: boolean | undefined
  /** Every item of the feed, after it was folded in. */
  onItem?(item: FeedItem): void
  /** The feed has begun, or begun again: events of other trees may have been missed until now. */
  onLive?(): void
  /** Messages a page. */
  pageSize?: number | undefined
}

/** Pause before a failed first load is tried again. */
const retryMs = 1_000

/** Loads the tree, follows it, and folds every event with the reducer that the service itself uses. */
export function createTreeStore(client: DocketClient, options: TreeStoreOptions): TreeStore {
  const { sessionID, others = false, pageSize = 100 } = options
  const listeners = createListeners()
  /** Sessions whose transcript is wanted, with the place it was opened at. */
  const opened = new Map<string, string | undefined>()
  let view: TreeView = { tree: null, connection: "connecting", error: null }
  let stopFeed: (() => void) | null = null
  const closed = new AbortController()

  const change = (next: Partial<TreeView>) => {
    view = { ...view, ...next }
    listeners.notify()
  }
  const changeTree = (fold: (tree: TreeState) => TreeState) => {
    const tree = view.tree && fold(view.tree)
    if (tree !== view.tree) change({ tree })
  }
  const call = { signal: closed.signal }
  const refetch = createPartRefetch(
    (partID) => client.session.part.query({ partID }, call),
    (part) => changeTree((tree) => replacePart(tree, part)),
  )

  const load = async (): Promise<void> => {
    stopFeed?.()
    stopFeed = null
    try {
      const snapshot = await client.session.tree.query({ sessionID }, call)
      const rootID = snapshot.sessions[0]?.rootID ?? sessionID
      let tree = treeFromSnapshot(rootID, snapshot)
      for (const [id, around] of opened) {
        const page = await fetchPage(id, { around })
        tree = addPage(tree, id, page, "start")
      }
      if (closed.signal.aborted) return
      change({ tree, error: null })
      stopFeed = follow(rootID, snapshot.seq)
    } catch (error) {
      if (closed.signal.aborted) return
      if (!isClientError(error)) throw error
      if ((httpStatus(error) ?? 500) < 500) return change({ error })
      change({ connection: "reconnecting" })
      setTimeout(() => void load(), retryMs)
    }
  }

  const follow = (rootID: string, since: number) =>
    subscribeTree(client, {
      sessionID: rootID,
      since,
      others,
      onEvent: receive,
      onState: (connection) => {
        change({ connection })
        if (connection === "live") options.onLive?.()
      },
      onError: (error) => change({ error }),
      signal: closed.signal,
    })

  const receive = (item: FeedItem) => {
    if (item.type === "resync") void load()
    else changeTree((tree) => applyEvent(tree, item))
    for (const partID of view.tree?.staleParts ?? []) refetch(partID)
    options.onItem?.(item)
  }

  const fetchPage = (id: string, at: PageAnchor): Promise<MessagePage & { seq: number }> =>
    client.session.messages.query({ sessionID: id, limit: pageSize, ...at }, call)

  const extend = async (id: string, side: "before" | "after"): Promise<boolean> => {
    const anchor = view.tree?.transcripts[id]?.[side]
    if (!anchor) return false
    const page = await fetchPage(id, { [side]: anchor })
    changeTree((tree) => addPage(tree, id, page, side))
    return page.items.length > 0
  }

  let loaded: Promise<void> | null = null
  const start = () => {
    loaded ??= load()
    return loaded
  }

  /** Failures become part of the view: whoever opens a place looks there anyway. */
  const show = async (id: string, around: string | undefined) => {
    try {
      const page = await fetchPage(id, { around })
      changeTree((tree) => addPage(tree, id, page, "start"))
    } catch (error) {
      if (!closed.signal.aborted && isClientError(error)) change({ error })
    }
  }

  return {
    get: () => view,
    subscribe(listener) {
      void start()
      return listeners.add(listener)
    },
    async open(id, around) {
      opened.set(id, around)
      await start()
      const messages = view.tree?.transcripts[id]?.messages
      if (!view.tree || (messages && around === undefined)) return
      if (messages?.some((it) => it.info.id === around || it.parts.some((part) => part.id === around))) return
      await show(id, around)
    },
    async openLatest(id) {
      opened.set(id, undefined)
      await start()
      if (view.tree?.transcripts[id]?.after !== null) await show(id, undefined)
    },
    loadBefore: (id) => extend(id, "before"),
    loadAfter: (id) => extend(id, "after"),
    close: () => {
      closed.abort()
      listeners.clear()
    },
  }
}

interface PageAnchor {
  before?: string | undefined
  after?: string | undefined
  around?: string | undefined
}
