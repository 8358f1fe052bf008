import { missingSession } from "../error/missing-session.ts"
import { type EventTraits, events } from "../schema/event.ts"
import type { DocketEvent, EditorReader, FeedItem, ViewerTab } from "../schema/index.ts"
import type { FeedStore } from "../store/index.ts"
import type { Bus } from "./bus.ts"
import { changeEvent } from "./change-event.ts"

/** Rows in one read while catching up. */
const catchUpSize = 500
/** The most live events that wait for a slow reader; beyond that it reads the rows again. */
const maxWaiting = 2_000

export interface FeedQuery {
  /** The tree that is read; without it, only events for lists are read. */
  rootID?: string | undefined
  /** The last `seq` that the reader has; without it only later events are sent. */
  since?: number | undefined
  /** Whether the reader also gets the events of other trees that lists show. */
  others: boolean
  /** Whether the reader also gets all events of other trees, except those that are for lists alone. */
  whole?: boolean | undefined
  /** Shows the reader to other readers of the tree. */
  viewer?: ViewerTab | undefined
  /** Set when the reader is an editor: it gets what it is asked. */
  editor?: EditorReader | undefined
}

/**
 * Yields each event of one tree after a cursor exactly once: first the rows with a larger `seq`, then live events. It
 * subscribes to live events before the first read. For a slow reader it drops waiting events and reads the rows again.
 * It ends when dropped events were of other trees, because they cannot be read again: a reader that restarts fetches
 * its lists.
 * @throws session_not_found when the tree does not exist
 */
export async function* readFeed(
  deps: { store: FeedStore; bus: Bus },
  query: FeedQuery,
  signal: AbortSignal,
): AsyncGenerator<FeedItem> {
  const inbox = createInbox(deps.bus, query, signal)
  try {
    let cursor = 0
    if (query.rootID !== undefined) {
      const head = await deps.store.head(query.rootID)
      if (head === null) throw missingSession(query.rootID)
      cursor = query.since ?? head
      const isUnknown = cursor > head || cursor < 0 || !Number.isInteger(cursor)
      if (isUnknown) {
        cursor = head
        yield { type: "resync", rootID: query.rootID, seq: head }
      }
    }
    while (!signal.aborted) {
      // Repeated when live events were dropped meanwhile, because those that still wait begin behind a gap.
      while (inbox.takeMustCatchUp() && query.rootID !== undefined && !signal.aborted) {
        for await (const event of catchUp(deps.store, query.rootID, cursor, signal)) {
          if (event.seq !== null) cursor = event.seq
          yield event
        }
      }
      if (inbox.missedOthers()) return
      for (const event of inbox.take()) {
        const own = event.rootID === query.rootID
        if (own && event.seq !== null && event.seq <= cursor) continue
        if (own && event.seq !== null) cursor = event.seq
        yield event
      }
      await inbox.wait()
    }
  } finally {
    inbox.close()
  }
}

async function* catchUp(
  store: FeedStore,
  rootID: string,
  since: number,
  signal: AbortSignal,
): AsyncGenerator<DocketEvent> {
  let cursor = since
  while (!signal.aborted) {
    const changes = await store.changesSince(rootID, cursor, catchUpSize)
    for (const change of changes) {
      cursor = change.seq
      // A quiet part has no live event because live readers hold its text from deltas; who catches up has none.
      const event = changeEvent(change.kind === "part" ? { ...change, quiet: false } : change)
      if (event !== null) yield event
    }
    if (changes.length < catchUpSize) return
  }
}

function createInbox(bus: Bus, query: FeedQuery, signal: AbortSignal) {
  /** Live events that the reader has not taken yet. */
  let waiting: DocketEvent[] = []
  /** Whether rows must be read from the store before the waiting events. */
  let isBehind = true
  /** Whether events of other trees were dropped. */
  let missedOthers = false
  let wake = () => {}
  const onAbort = () => wake()
  signal.addEventListener("abort", onAbort)
  const unsubscribe = bus.subscribe((event) => {
    const own = event.rootID === query.rootID
    const { lists } = traitsOf(event)
    const isForTree = own && lists !== "only"
    const isForLists = query.others && lists !== undefined
    const isWhole = query.whole === true && lists !== "only"
    if (!isForTree && !isForLists && !isWhole) return
    const isForEditor = event.type === "editor.asked" || event.type === "editor.withdrawn"
    if (isForEditor && event.properties.editorID !== query.editor?.id) return
    if (waiting.length >= maxWaiting) {
      waiting = waiting.filter((candidate) => candidate.rootID !== query.rootID)
      isBehind = true
      // Without this tree's own events there is still little room: what waits are events of other trees.
      if (waiting.length >= maxWaiting / 2) {
        waiting = []
        missedOthers = true
      }
    }
    const next = own || isWhole ? event : forLists(event)
    waiting = withoutReplaced(waiting, next)
    waiting.push(next)
    wake()
  })
  const unsubscribeDoubt = bus.onDoubt((rootID) => {
    if (rootID !== null && rootID !== query.rootID) return
    isBehind = true
    // Nothing but a new request reads lists again.
    if (rootID === null && (query.others || query.whole === true)) missedOthers = true
    wake()
  })
  return {
    /** Whether rows must be read from the store. Answers true once for each time that it became so. */
    takeMustCatchUp() {
      const must = isBehind
      isBehind = false
      return must
    },
    missedOthers: () => missedOthers,
    take() {
      const taken = waiting
      waiting = []
      return taken
    },
    wait: () =>
      waiting.length > 0 || isBehind || signal.aborted
        ? Promise.resolve()
        : new Promise<void>((resolve) => {
            wake = resolve
          }),
    close() {
      unsubscribe()
      unsubscribeDoubt()
      signal.removeEventListener("abort", onAbort)
    },
  }
}

/** The form of an event for readers of other trees. */
function forLists(event: DocketEvent): DocketEvent {
  const { inLists } = traitsOf(event)
  // What `inLists` gives is an event without a row, so it has no number.
  return inLists === undefined
    ? event
    : ({ rootID: event.rootID, seq: null, ...inLists(event.properties) } as DocketEvent)
}

/** The waiting events without those that the new event replaces. */
function withoutReplaced(waiting: DocketEvent[], event: DocketEvent): DocketEvent[] {
  const { replaces } = traitsOf(event)
  if (replaces === undefined) return waiting
  return waiting.filter(({ type, properties }) => type !== event.type || !replaces(event.properties, properties))
}

/** The functions among the traits of a type take the content of that type. */
function traitsOf({ type }: DocketEvent): EventTraits<DocketEvent["properties"]> {
  return (events[type].traits ?? {}) as EventTraits<DocketEvent["properties"]>
}
