import { missingSession } from "../error/missing-session.ts"
import type { DocketEvent, FeedItem } from "../schema/index.ts"
import type { FeedStore } from "../store/index.ts"
import type { Bus } from "./bus.ts"
import { changeEvent } from "./change-event.ts"

/** Where a page of events begins, and how much is read. */
export interface EventPageQuery {
  rootID: string
  /** The `seq` that the reader has; without it the page begins now. */
  after: number | undefined
  limit: number
  /** How long an empty page waits for an event (ms). */
  waitMs: number
}

export interface EventPage {
  rootID: string
  /** Of rows that changed, each with its last state. `resync` alone means that the tree must be read afresh. */
  events: FeedItem[]
  /** The `seq` after which the next page begins. */
  next: number
}

/**
 * The events of rows after a cursor. Where there is none, it waits for the first one, until `waitMs` have passed or the
 * signal aborts. Text deltas and the like belong to no row, and are only in the stream.
 * @throws session_not_found
 */
export async function readEventPage(
  { store, bus }: { store: FeedStore; bus: Bus },
  { rootID, after, limit, waitMs }: EventPageQuery,
  signal: AbortSignal,
): Promise<EventPage> {
  const changed = watchTree(bus, rootID)
  const end = AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
  try {
    const head = await headOf(store, rootID)
    if (after !== undefined && after > head)
      return { rootID, events: [{ type: "resync", rootID, seq: head }], next: head }
    let next = after ?? head
    for (;;) {
      changed.forget()
      const changes = await store.changesSince(rootID, next, limit)
      next = changes.at(-1)?.seq ?? next
      const events = changes.map(eventOf).filter((event) => event !== null)
      if (events.length > 0) return { rootID, events, next }
      // What was read may be rows without an event, with more behind them.
      if (changes.length === limit) continue
      if (waitMs === 0 || end.aborted) return { rootID, events, next }
      await changed.next(end)
    }
  } finally {
    changed.close()
  }
}

/** @throws session_not_found */
async function headOf(store: FeedStore, rootID: string): Promise<number> {
  const head = await store.head(rootID)
  if (head === null) throw missingSession(rootID)
  return head
}

/** A part whose text came in deltas has an event here, because the reader has no deltas. */
function eventOf(change: Parameters<typeof changeEvent>[0]): DocketEvent | null {
  return changeEvent(change.kind === "part" ? { ...change, quiet: false } : change)
}

/** Notes each change of a tree, also between two looks. */
function watchTree(bus: Bus, rootID: string) {
  let isChanged = false
  let wake = () => {}
  const note = () => {
    isChanged = true
    wake()
  }
  const leave = [
    bus.subscribe((event) => event.seq !== null && event.rootID === rootID && note()),
    bus.onDoubt((doubted) => (doubted ?? rootID) === rootID && note()),
  ]
  return {
    forget() {
      isChanged = false
    },
    /** Resolves at the next change since `forget`, or when the signal aborts. */
    next: (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        wake = resolve
        signal.addEventListener("abort", () => resolve(), { once: true })
        if (isChanged || signal.aborted) resolve()
      }),
    close() {
      for (const end of leave) end()
    },
  }
}
