import { setImmediate as nextTurn } from "node:timers/promises"
import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import type { Share } from "../../ground/schema/index.ts"
import type { ShareCopyStore, ShareRow } from "../../ground/store/index.ts"
import { staleMs } from "./scan-cache.ts"
import type { ShareHome } from "./share-home.ts"
import { type ShareBatch, shareEvent } from "./share-service.ts"

export interface ShareStreams {
  /**
   * Rows of the copy after `since`, then live ones. Ends when the signal aborts or the copy is gone. The search for the
   * share is part of the same generator, because a second generator would double the cost for each reader of each
   * batch.
   */
  follow(find: () => Promise<Share>, since: number | undefined, signal: AbortSignal): AsyncGenerator<ShareBatch>
  /** How many readers follow the share in this process. */
  readers(shareID: string): number
  /** Call it with rows that this process stored. */
  published(share: Share, rows: readonly ShareRow[]): void
}

interface ShareStreamsDeps {
  copies: ShareCopyStore
  home: () => Pick<ShareHome, "catchUp" | "watch">
  timers?: Timers
  onError(error: unknown): void
  /** Called for each new reader of a tree; the returned function is called when the reader leaves. */
  onReader?: (rootID: string) => () => void
}

/** Readers woken before other work has its turn. */
const wokenAtOnce = 50
/** Rows read for a reader at a time. */
const readSize = 50
/**
 * Most batches of live events, and their UTF-16 units, kept for a slow reader. With more they are dropped and the
 * reader continues from the copy, which has the latest version of each row.
 */
const maxUnsent = { batches: 50, units: 1_000_000 }

interface Reader {
  /** Live events that the reader has not got yet. */
  unsent: ShareBatch[]
  /** UTF-16 units of the unsent events. */
  units: number
  /** Whether the reader has to continue from the copy, because live events were dropped or it has just come. */
  isBehind: boolean
  /** Continues the reader when it waits for events. */
  wake(): void
}

/** The readers of one share, and how to stop watching its tree. */
interface ReaderGroup {
  readers: Set<Reader>
  /** The newest row of the copy that the readers know of. */
  seq: number
  stop(): void
}

/** One watch of the tree, one scan and one serialisation serve all readers of a share. */
export function createShareStreams(deps: ShareStreamsDeps): ShareStreams {
  const { timers = nodeTimers } = deps
  const groups = new Map<string, ReaderGroup>()
  const openGroup = (share: Share): ReaderGroup => {
    const readers = new Set<Reader>()
    const toCopy = () => {
      for (const reader of readers) readFromCopy(reader)
    }
    const run = async () => {
      const copy = await deps.home().catchUp(share.id)
      // Another runtime may have stored the newest rows.
      if (copy !== null && copy.seq <= group.seq) return
      group.seq = copy?.seq ?? 0
      toCopy()
    }
    // No event tells when the server learns new secrets, for example from a written `.env` file, so check at intervals.
    const stopLooking = timers.every(staleMs, () => run().catch(deps.onError))
    const stops = [deps.home().watch(share, { readers: () => readers.size, run, toCopy }), stopLooking]
    const group: ReaderGroup = { readers, seq: 0, stop: () => stops.forEach((stop) => void stop()) }
    return group
  }
  const join = (share: Share, reader: Reader): (() => void) => {
    const group = groups.get(share.id) ?? openGroup(share)
    groups.set(share.id, group)
    group.readers.add(reader)
    const onLeave = deps.onReader?.(share.rootID)
    return () => {
      group.readers.delete(reader)
      onLeave?.()
      if (group.readers.size > 0) return
      groups.delete(share.id)
      group.stop()
    }
  }
  return {
    readers: (shareID) => groups.get(shareID)?.readers.size ?? 0,
    published(share, rows) {
      const group = groups.get(share.id)
      if (group === undefined) return
      group.seq = Math.max(group.seq, rows.at(-1)?.seq ?? 0)
      const events = eventsOf(share, rows)
      const units = events.reduce((sum, { json }) => sum + json.length, 0)
      if (events.length === 0) return
      for (const reader of group.readers) addUnsent(reader, events, units)
      void wakeAll([...group.readers])
    },
    async *follow(find, since, signal) {
      const share = await find()
      const reader: Reader = { unsent: [], units: 0, isBehind: true, wake: () => {} }
      const leave = join(share, reader)
      const onAbort = () => reader.wake()
      signal.addEventListener("abort", onAbort)
      try {
        const copy = await deps.home().catchUp(share.id)
        if (copy === null) return
        const group = groups.get(share.id)
        if (group !== undefined) group.seq = Math.max(group.seq, copy.seq)
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
          for (const batch of takeUnsent(reader)) {
            const events = newSince(batch, cursor)
            cursor = Math.max(cursor, batch.at(-1)?.seq ?? 0)
            if (events.length > 0) yield events
          }
          if (reader.unsent.length === 0 && !reader.isBehind && !signal.aborted) await untilWoken(reader)
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

/** Returns the batch itself when all of it is new, so that all readers share it. */
function newSince(batch: ShareBatch, cursor: number): ShareBatch {
  return (batch[0]?.seq ?? 0) > cursor ? batch : batch.filter(({ seq }) => seq > cursor)
}

function takeUnsent(reader: Reader): ShareBatch[] {
  const taken = reader.unsent
  reader.unsent = []
  reader.units = 0
  return taken
}

function untilWoken(reader: Reader): Promise<void> {
  return new Promise((resolve) => {
    reader.wake = resolve
  })
}

function addUnsent(reader: Reader, events: ShareBatch, units: number): void {
  if (reader.unsent.length === maxUnsent.batches || reader.units + units > maxUnsent.units) readFromCopy(reader)
  else {
    reader.unsent.push(events)
    reader.units += units
  }
}

/** Wakes a few readers at a time, so that other work is not delayed until all of them were served. */
async function wakeAll(readers: readonly Reader[]): Promise<void> {
  for (let at = 0; at < readers.length; at += wokenAtOnce) {
    for (const reader of readers.slice(at, at + wokenAtOnce)) reader.wake()
    await nextTurn()
  }
}

function readFromCopy(reader: Reader): void {
  reader.unsent = []
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
