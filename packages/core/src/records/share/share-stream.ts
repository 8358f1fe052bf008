import { setImmediate as nextTurn } from "node:timers/promises"
import { nodeTimers } from "../../ground/concurrency/timers.ts"
import type { Share } from "../../ground/schema/index.ts"
import type { ShareCopyStore, ShareRow } from "../../ground/store/index.ts"
import { staleMs } from "./scan-cache.ts"
import type { SharePublisher } from "./share-publisher.ts"
import { type ShareBatch, shareEvent } from "./share-service.ts"
import { type WatchShareDeps, watchShare } from "./watch-share.ts"

export interface ShareStreams {
  /**
   * The rows of the copy behind `since`, then live ones. Ends when the signal aborts, or when the copy is gone. One generator
   * with the search for the share in it: another around it would cost as much again for each reader of each batch.
   */
  follow(find: () => Promise<Share>, since: number | undefined, signal: AbortSignal): AsyncGenerator<ShareBatch>
  /** How many read it here. */
  readers(shareID: string): number
  /** Hears of rows that were stored here. */
  published(share: Share, rows: readonly ShareRow[]): void
}

interface ShareStreamsDeps extends WatchShareDeps {
  copies: ShareCopyStore
  publisher: () => Pick<SharePublisher, "catchUp">
  /** Hears of each reader of a tree; what it answers with is called when the reader leaves. */
  onReader?: (rootID: string) => () => void
}

const wokenAtOnce = 50
/** Rows that are read for a reader at a time. */
const readSize = 50
/**
 * Batches of live events, and UTF-16 units of them, that are held for a slow reader. With more it drops them and reads the copy, which
 * has what came last of each row.
 */
const maxHeld = { batches: 50, units: 1_000_000 }

interface Reader {
  held: ShareBatch[]
  /** UTF-16 units of what is held. */
  units: number
  isBehind: boolean
  wake(): void
}

/** Those who read one share, and what ends the look at its tree. */
interface Audience {
  readers: Set<Reader>
  stop(): void
}

/** One look at the tree, one scan and one serialisation serve all readers of a share. */
export function createShareStreams(deps: ShareStreamsDeps): ShareStreams {
  const { timers = nodeTimers } = deps
  const audiences = new Map<string, Audience>()
  const open = (share: Share): Audience => {
    const readers = new Set<Reader>()
    const run = async () => {
      if ((await deps.publisher().catchUp(share.id)) === null) for (const reader of readers) lookAgain(reader)
    }
    // Of what the server learns of secrets, by a `.env` file that somebody writes, no event tells.
    const looking = timers.every(staleMs, () => run().catch(deps.onError))
    const stops = [watchShare(deps, share.rootID, { readers: () => readers.size, run }), looking]
    return { readers, stop: () => stops.forEach((stop) => void stop()) }
  }
  const join = (share: Share, reader: Reader): (() => void) => {
    const audience = audiences.get(share.id) ?? open(share)
    audiences.set(share.id, audience)
    audience.readers.add(reader)
    const gone = deps.onReader?.(share.rootID)
    return () => {
      audience.readers.delete(reader)
      gone?.()
      if (audience.readers.size > 0) return
      audiences.delete(share.id)
      audience.stop()
    }
  }
  return {
    readers: (shareID) => audiences.get(shareID)?.readers.size ?? 0,
    published(share, rows) {
      const readers = audiences.get(share.id)?.readers
      if (readers === undefined) return
      const events = eventsOf(share, rows)
      const units = events.reduce((sum, { json }) => sum + json.length, 0)
      if (events.length === 0) return
      for (const reader of readers) hand(reader, events, units)
      void wakeAll([...readers])
    },
    async *follow(find, since, signal) {
      const share = await find()
      const reader: Reader = { held: [], units: 0, isBehind: true, wake: () => {} }
      const leave = join(share, reader)
      const onAbort = () => reader.wake()
      signal.addEventListener("abort", onAbort)
      try {
        const copy = await deps.publisher().catchUp(share.id)
        if (copy === null) return
        let cursor = since ?? copy.seq
        if (cursor > copy.seq) {
          cursor = copy.seq
          yield [{ seq: cursor, json: JSON.stringify({ type: "resync", rootID: share.rootID, seq: cursor }) }]
        }
        while (!signal.aborted) {
          if (reader.isBehind) {
            reader.isBehind = false
            if ((await deps.copies.get(share.id)) === null) return
            for await (const rows of rowsSince(deps.copies, share.id, cursor)) {
              cursor = rows.at(-1)?.seq ?? cursor
              const events = eventsOf(share, rows)
              if (events.length > 0) yield events
            }
          }
          for (const batch of take(reader)) {
            const events = newSince(batch, cursor)
            cursor = Math.max(cursor, batch.at(-1)?.seq ?? 0)
            if (events.length > 0) yield events
          }
          if (reader.held.length === 0 && !reader.isBehind && !signal.aborted) await woken(reader)
        }
      } finally {
        signal.removeEventListener("abort", onAbort)
        leave()
      }
    },
  }
}

function eventsOf({ rootID }: Share, rows: readonly ShareRow[]): ShareBatch {
  return rows.flatMap((row) => shareEvent(rootID, row) ?? [])
}

/** The batch itself where all of it is new: all readers have the same then. */
function newSince(batch: ShareBatch, cursor: number): ShareBatch {
  return (batch[0]?.seq ?? 0) > cursor ? batch : batch.filter(({ seq }) => seq > cursor)
}

function take(reader: Reader): ShareBatch[] {
  const taken = reader.held
  reader.held = []
  reader.units = 0
  return taken
}

function woken(reader: Reader): Promise<void> {
  return new Promise((resolve) => {
    reader.wake = resolve
  })
}

function hand(reader: Reader, events: ShareBatch, units: number): void {
  if (reader.held.length === maxHeld.batches || reader.units + units > maxHeld.units) lookAgain(reader)
  else {
    reader.held.push(events)
    reader.units += units
  }
}

/** A few at a time: what works meanwhile is not kept waiting until all of them were written to. */
async function wakeAll(readers: readonly Reader[]): Promise<void> {
  for (let at = 0; at < readers.length; at += wokenAtOnce) {
    for (const reader of readers.slice(at, at + wokenAtOnce)) reader.wake()
    await nextTurn()
  }
}

function lookAgain(reader: Reader): void {
  reader.held = []
  reader.units = 0
  reader.isBehind = true
  reader.wake()
}

async function* rowsSince(copies: ShareCopyStore, shareID: string, since: number): AsyncGenerator<ShareRow[]> {
  let cursor = since
  while (true) {
    const rows = await copies.changesSince(shareID, cursor, readSize)
    cursor = rows.at(-1)?.seq ?? cursor
    if (rows.length > 0) yield rows
    if (rows.length < readSize) return
  }
}
