import { DocketError } from "../error/docket-error.ts"
import type { DocketEvent, FeedItem, ViewerTab } from "../schema/index.ts"
import type { FeedStore } from "../store/index.ts"
import type { Bus } from "./bus.ts"
import { changeEvent } from "./change-event.ts"

/** Rows read at a time while catching up. */
const catchUpSize = 500
/** Live events held for a slow reader; with more it reads its tree again from the rows. */
const maxHeld = 2_000

export interface FeedQuery {
  rootID?: string | undefined
  since?: number | undefined
  others: boolean
  /** Shows others of the tree that somebody reads it. */
  viewer?: ViewerTab | undefined
}

/**
 * Events of one tree from a cursor on, without gap or double: first the rows with a larger `seq`, then
 * live events. It registers for live events before the first read, and falls back to the rows when the
 * reader is slow, so it holds a bounded number of events. It ends when such a reader missed events of other trees, which
 * no row tells again: a reader that begins anew reads its lists afresh.
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
      if (head === null) throw new DocketError("session_not_found", `There is no session ${query.rootID}.`)
      cursor = query.since ?? head
      if (cursor > head || cursor < 0 || !Number.isInteger(cursor)) {
        cursor = head
        yield { type: "resync", rootID: query.rootID, seq: head }
      }
    }
    while (!signal.aborted) {
      // Again when live events were dropped meanwhile: those that are held then begin behind a gap.
      while (inbox.mustCatchUp() && query.rootID !== undefined && !signal.aborted) {
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
      const event = changeEvent(change.kind === "part" ? { ...change, quiet: false } : change)
      if (event !== null) yield event
    }
    if (changes.length < catchUpSize) return
  }
}

function createInbox(bus: Bus, query: FeedQuery, signal: AbortSignal) {
  let held: DocketEvent[] = []
  let behind = true
  let missedOthers = false
  let wake = () => {}
  const onAbort = () => wake()
  signal.addEventListener("abort", onAbort)
  const unsubscribe = bus.subscribe((event) => {
    const own = event.rootID === query.rootID
    const wanted = own && !listRows.has(event.type)
    if (!wanted && !(query.others && forList.has(event.type))) return
    if (held.length >= maxHeld) {
      held = held.filter((candidate) => candidate.rootID !== query.rootID)
      behind = true
      if (held.length >= maxHeld / 2) {
        held = []
        missedOthers = true
      }
    }
    const told = own ? event : withoutList(event)
    held = withoutOlderList(held, told)
    held.push(told)
    wake()
  })
  const certain = bus.onDoubt((rootID) => {
    if (rootID !== query.rootID) return
    behind = true
    wake()
  })
  return {
    mustCatchUp() {
      const must = behind
      behind = false
      return must
    },
    missedOthers: () => missedOthers,
    take() {
      const taken = held
      held = []
      return taken
    },
    wait: () =>
      held.length > 0 || behind || signal.aborted
        ? Promise.resolve()
        : new Promise<void>((resolve) => {
            wake = resolve
          }),
    close() {
      unsubscribe()
      certain()
      signal.removeEventListener("abort", onAbort)
    },
  }
}

/** What a reader of another tree hears of a todo list: that it changed. A list may be long, and it does not show it. */
function withoutList(event: DocketEvent): DocketEvent {
  if (event.type !== "todo.updated") return event
  const { sessionID } = event.properties
  return { type: "todo.list.changed", rootID: event.rootID, seq: null, properties: { sessionID } }
}

/** Todos in a list that a slow reader gets only once. */
const longList = 200

/**
 * A todo list is told as a whole: what is held of a long one is left out when a newer one follows, and so is what says
 * no more than that it changed, the older row of a tree, and who read it before.
 */
function withoutOlderList(held: DocketEvent[], event: DocketEvent): DocketEvent[] {
  if (event.type === "session.listed")
    return held.filter((other) => other.type !== event.type || other.rootID !== event.rootID)
  if (event.type === "presence.updated") return held.filter(({ type }) => type !== event.type)
  const isList = event.type === "todo.updated" && event.properties.todos.length >= longList
  if (!isList && event.type !== "todo.list.changed") return held
  const { sessionID } = event.properties
  return held.filter((other) => other.type !== event.type || other.properties.sessionID !== sessionID)
}

/** Rows of lists: for those who show these, also of the tree that they follow. */
const listRows = new Set<string>(["session.listed", "task.listed"])

/** What the session list shows of trees that are not open. */
const forList = new Set<string>([
  ...listRows,
  "session.deleted",
  "permission.asked",
  "permission.replied",
  "project.updated",
  "config.updated",
  "workspace.updated",
  "todo.updated",
  "todo.item.updated",
  "todo.item.removed",
  "memory.updated",
  "memory.removed",
  "schedule.updated",
  "schedule.removed",
  "schedule.run.updated",
])
