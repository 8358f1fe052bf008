import type { FeedItem, Presence, ViewerPlace } from "@docket/core/schema"
import { addPage, applyEvent, replacePart, type TreeState } from "@docket/core/tree"
import { type DocketClientError, isClientError, isLasting, isRefusal } from "./client-error.ts"
import type { DocketClient } from "./create-docket-client.ts"
import { createFeedGate, type FeedGate } from "./feed-gate.ts"
import { fetchPage, fetchTree, type PageQuery } from "./fetch-tree.ts"
import { createListeners } from "./listeners.ts"
import { createPartRefetch } from "./part-refetch.ts"
import { createPresenceClient, type PresenceClient } from "./presence-client.ts"
import { type ConnectionState, subscribeTree } from "./subscribe-tree.ts"
import { type TreeSeed, treeFromSeed } from "./tree-seed.ts"

/** What a front end shows of a tree. A new object for each change; unchanged parts keep their identity. */
export interface TreeView {
  /** Null until the first snapshot has arrived. */
  tree: TreeState | null
  connection: ConnectionState
  /** Why the tree cannot be shown or followed any more; null when there is no error. */
  error: DocketClientError | null
  /** The viewers of the tree, including this one; null until the service has sent them. */
  presence: Presence | null
}

/** A live copy of one session tree. It begins to load at the first `subscribe` or `open`. */
export interface TreeStore {
  get(): TreeView
  /** The view to render on the server and during hydration: the same on both sides. */
  getSent(): TreeView
  /** Begins with the data of the page instead of loading it. Has no effect when the store is already loading. */
  begin(seed: TreeSeed): void
  /** Calls back after changes, at most once in 16 ms. Returns a function that ends it. */
  subscribe(listener: () => void): () => void
  /** Loads a session's newest messages, or those around a message or part, and keeps them up to date. */
  open(sessionID: string, around?: string): Promise<void>
  /** Shows the newest messages again, after `open` went to another place. */
  openLatest(sessionID: string): Promise<void>
  /** Loads the messages before the loaded ones. False when there are none. */
  loadBefore(sessionID: string): Promise<boolean>
  /** Loads the messages after the loaded ones. False when there are none. */
  loadAfter(sessionID: string): Promise<boolean>
  /** Shows other viewers of the tree where this one is; null for nowhere. */
  lookAt(place: ViewerPlace | null): void
  /** Ends the subscription. The store stays readable. */
  close(): void
}

export interface TreeStoreOptions {
  /** Any session of the tree. */
  sessionID: string
  /** Also follow other trees; their events go to `onItem`. */
  others?: boolean | undefined
  /** Called with every item of the feed, after it was applied. */
  onItem?(item: FeedItem): void
  /** Called when the feed starts or restarts: earlier events of other trees may be missing. */
  onLive?(): void
  /** Called when the service refuses: the feed has ended, also for other trees. */
  onRefused?(): void
  /** Messages in a page. The first page is smaller (about three screens), so that it is shown soon. */
  pageSize?: number | undefined
}

const firstPageSize = 30

const blank: TreeView = { tree: null, connection: "connecting", error: null, presence: null }

/** Pause before a failed first load is repeated (ms). */
const retryMs = 1_000

/** Loads the tree, follows it, and applies every event with the reducer that the service uses. */
export function createTreeStore(client: DocketClient, options: TreeStoreOptions): TreeStore {
  const { pageSize = 100 } = options
  const firstPage = Math.min(firstPageSize, pageSize)
  const listeners = createListeners()
  /** Opened sessions, with the place at which each was opened. */
  const opened = new Map<string, string | undefined>()
  const closed = new AbortController()
  const presenceClient = createPresenceClient(client)
  let view = blank

  const change = (next: Partial<TreeView>) => {
    view = { ...view, ...next }
    listeners.notify()
  }
  const changeTree = (fold: (tree: TreeState) => TreeState) => {
    const tree = view.tree && fold(view.tree)
    if (tree !== view.tree) change({ tree })
  }
  const refetch = createPartRefetch(
    (partID) => client.session.part.query({ partID }, { signal: closed.signal }),
    (part) => changeTree((tree) => replacePart(tree, part)),
  )
  const gate = createFeedGate((item: FeedItem) => {
    changeTree((tree) => applyEvent(tree, item))
    if (item.type === "presence.updated") {
      presenceClient.known()
      change(item.properties)
    }
    refetchStale()
    options.onItem?.(item)
  })
  const refetchStale = () => {
    for (const partID of view.tree?.staleParts ?? []) refetch(partID)
  }
  /** Fetches what is missing: stale parts, and places whose fetch failed while the service could not be reached. */
  const catchUp = () => {
    refetchStale()
    for (const [id, around] of opened) if (view.tree && !holds(view.tree, id, around)) void showOnce(id, around)
  }
  const { load, follow } = createLoad(client, {
    options,
    closed,
    opened,
    limit: firstPage,
    change,
    gate,
    catchUp,
    presenceClient,
  })
  let loaded: Promise<void> | null = null
  /** The cursor from which to follow a tree that came with the page. */
  let begun: { rootID: string; since: number } | null = null
  const start = () => {
    if (begun === null) loaded ??= load()
    else if (loaded === null) {
      loaded = Promise.resolve()
      follow(begun.rootID, begun.since)
    }
    return loaded
  }

  const addPageOf = (sessionID: string, at: Omit<PageQuery, "sessionID" | "limit">, side: Side) =>
    gate.closedDuring(async () => {
      const loadedCount = view.tree?.transcripts[sessionID]?.messages.length ?? 0
      const limit = side === "start" || loadedCount < firstPage ? firstPage : pageSize
      const page = await fetchPage(client, { sessionID, limit, ...at }, closed.signal)
      changeTree((tree) => addPage(tree, sessionID, page, side))
      return page.items.length > 0
    })
  const extend = async (id: string, side: "before" | "after") => {
    const anchor = view.tree?.transcripts[id]?.[side]
    return anchor ? addPageOf(id, { [side]: anchor }, side) : false
  }
  /** Loads a place. A failure is shown in the view. */
  const show = async (id: string, around?: string) => {
    try {
      await addPageOf(id, { around }, "start")
      if (view.error !== null) change({ error: null })
    } catch (error) {
      if (!closed.signal.aborted && isClientError(error)) change({ error })
    }
  }

  /** Places that are being fetched. */
  const showing = new Map<string, Promise<void>>()
  const showOnce = (id: string, around?: string) => {
    const key = `${id} ${around ?? ""}`
    const shown = showing.get(key) ?? show(id, around).finally(() => showing.delete(key))
    showing.set(key, shown)
    return shown
  }

  return {
    get: () => view,
    getSent: () => blank,
    begin(seed) {
      if (loaded !== null || begun !== null) return
      const { tree, since } = treeFromSeed(seed)
      begun = { rootID: tree.rootID, since }
      view = { ...view, tree }
    },
    subscribe(listener) {
      void start()
      return listeners.add(listener)
    },
    async open(id, around) {
      opened.set(id, around)
      await start()
      if (view.tree && !holds(view.tree, id, around)) await showOnce(id, around)
    },
    async openLatest(id) {
      opened.set(id, undefined)
      await start()
      if (view.tree?.transcripts[id]?.after !== null) await showOnce(id)
    },
    loadBefore: (id) => extend(id, "before"),
    loadAfter: (id) => extend(id, "after"),
    lookAt: presenceClient.lookAt,
    close() {
      closed.abort()
      presenceClient.close()
      listeners.clear()
    },
  }
}

type Side = "start" | "before" | "after"

/** Whether the place is loaded: a message or a part; without a place, any messages of the session. */
function holds(tree: TreeState, sessionID: string, place: string | undefined): boolean {
  const messages = tree.transcripts[sessionID]?.messages
  if (!messages || place === undefined) return messages !== undefined
  return messages.some((it) => it.info.id === place || it.parts.some((part) => part.id === place))
}

interface LoadDeps {
  options: TreeStoreOptions
  closed: AbortController
  opened: Map<string, string | undefined>
  limit: number
  change(next: Partial<TreeView>): void
  gate: FeedGate<FeedItem>
  /** Called when the feed starts or restarts. */
  catchUp(): void
  presenceClient: Pick<PresenceClient, "open">
}

interface Load {
  /** Fetches the whole tree again and follows it: at the start, and after `resync`. */
  load(): Promise<void>
  /** Follows a tree that is already loaded. */
  follow(rootID: string, since: number): void
}

function createLoad(client: DocketClient, deps: LoadDeps): Load {
  const { options, closed, opened, limit, change, gate, catchUp, presenceClient } = deps
  let stopFeed: (() => void) | null = null

  const refused = (error: DocketClientError) => {
    change({ error })
    options.onRefused?.()
  }

  const load = async (): Promise<void> => {
    stopFeed?.()
    gate.clear()
    // Sessions opened in the same task are fetched together.
    await Promise.resolve()
    try {
      const pages = [...opened].map(([sessionID, around]): PageQuery => ({ sessionID, around, limit }))
      const { tree, since } = await fetchTree(client, { sessionID: options.sessionID, pages }, closed.signal)
      if (closed.signal.aborted) return
      change({ tree, error: null })
      follow(tree.rootID, since)
    } catch (error) {
      if (closed.signal.aborted) return
      if (!isClientError(error)) throw error
      if (isRefusal(error) || isLasting(error)) return refused(error)
      change({ connection: "reconnecting" })
      setTimeout(() => void load(), retryMs)
    }
  }

  const follow = (sessionID: string, since: number) => {
    stopFeed = subscribeTree(client, {
      sessionID,
      since,
      others: options.others,
      viewer: presenceClient.open,
      onEvent: (item) => (item.type === "resync" ? void load() : gate.pass(item)),
      onState(connection) {
        change({ connection })
        if (connection !== "live") return
        catchUp()
        options.onLive?.()
      },
      onError: refused,
      signal: closed.signal,
    })
  }

  return { load, follow }
}
