import { nodeTimers, type Timers } from "../concurrency/timers.ts"
import type { Bus } from "../event/bus.ts"
import type { Follower } from "../event/follow-trees.ts"
import type { Share } from "../schema/index.ts"
import type { ShareCopyStore, ShareRow } from "../store/index.ts"
import type { SharePublisher } from "./share-publisher.ts"

/** What a stream of a share sends: an event as JSON, written once for all who read it, and its place. */
export interface ShareEvent {
  seq: number
  json: string
}

export interface ShareStreams {
  /** The rows of the copy behind `since`, then live ones. Ends when the signal aborts, or when the copy is gone. */
  follow(share: Share, since: number | undefined, signal: AbortSignal): AsyncGenerator<ShareEvent>
  /** Hears of rows that were stored here. */
  published(share: Share, rows: readonly ShareRow[]): void
}

export interface ShareStreamsDeps {
  bus: Bus
  follower: Pick<Follower, "follow">
  copies: ShareCopyStore
  publisher: () => SharePublisher
  timers?: Timers
  onError(error: unknown): void
}

/** A reader sees no more changes a second than it can show. */
const pauseMs = 100
const readSize = 500
/** Live events that are held for a slow reader; with more it reads them again from the copy. */
const maxHeld = 1_000

interface Reader {
  share: Share
  held: ShareEvent[]
  isBehind: boolean
  wake(): void
}

/** One look at the tree, one scan and one serialisation serve all readers of a share. */
export function createShareStreams(deps: ShareStreamsDeps): ShareStreams {
  const { bus, copies, onError, timers = nodeTimers } = deps
  const readers = new Map<string, Set<Reader>>()
  const watches = new Map<string, () => void>()
  const watch = (share: Share): (() => void) => {
    let isDue = false
    let stopTimer: (() => void) | null = null
    const run = () => {
      stopTimer = null
      if (!isDue) return
      isDue = false
      stopTimer = timers.after(pauseMs, run)
      deps
        .publisher()
        .catchUp(share)
        .then((copy) => copy === null && end(share.id), onError)
    }
    const due = (rootID: string | null) => {
      if (rootID !== share.rootID) return
      isDue = true
      if (stopTimer === null) run()
    }
    const leave = deps.follower.follow(share.rootID)
    leave.catch(onError)
    const offs = [bus.subscribe(({ rootID }) => due(rootID)), bus.onDoubt(due)]
    return () => {
      stopTimer?.()
      for (const off of offs) off()
      void leave.then(
        (off) => off(),
        () => undefined,
      )
    }
  }
  const end = (shareID: string) => {
    for (const reader of readers.get(shareID) ?? []) {
      reader.isBehind = true
      reader.wake()
    }
  }
  const join = (reader: Reader): (() => void) => {
    const { share } = reader
    const others = readers.get(share.id) ?? new Set()
    readers.set(share.id, others.add(reader))
    if (!watches.has(share.id)) watches.set(share.id, watch(share))
    return () => {
      others.delete(reader)
      if (others.size > 0) return
      readers.delete(share.id)
      watches.get(share.id)?.()
      watches.delete(share.id)
    }
  }
  return {
    published(share, rows) {
      const own = readers.get(share.id)
      if (own === undefined) return
      const events = rows.flatMap((row) => shareEvent(share.rootID, row) ?? [])
      for (const reader of own) {
        if (reader.held.length + events.length > maxHeld) {
          reader.held = []
          reader.isBehind = true
        } else reader.held.push(...events)
        reader.wake()
      }
    },
    async *follow(share, since, signal) {
      const reader: Reader = { share, held: [], isBehind: true, wake: () => {} }
      const leave = join(reader)
      const onAbort = () => reader.wake()
      signal.addEventListener("abort", onAbort)
      try {
        const copy = await deps.publisher().catchUp(share)
        if (copy === null) return
        let cursor = since ?? copy.seq
        if (cursor > copy.seq) {
          cursor = copy.seq
          yield { seq: cursor, json: JSON.stringify({ type: "resync", rootID: share.rootID, seq: cursor }) }
        }
        while (!signal.aborted) {
          if (reader.isBehind) {
            reader.isBehind = false
            if ((await copies.get(share.id)) === null) return
            for await (const row of rowsSince(copies, share.id, cursor)) {
              cursor = row.seq
              const event = shareEvent(share.rootID, row)
              if (event !== null) yield event
            }
          }
          for (const event of reader.held.splice(0)) {
            if (event.seq <= cursor) continue
            cursor = event.seq
            yield event
          }
          if (reader.held.length > 0 || reader.isBehind || signal.aborted) continue
          await new Promise<void>((resolve) => {
            reader.wake = resolve
          })
        }
      } finally {
        signal.removeEventListener("abort", onAbort)
        leave()
      }
    },
  }
}

async function* rowsSince(copies: ShareCopyStore, shareID: string, since: number): AsyncGenerator<ShareRow> {
  let cursor = since
  while (true) {
    const rows = await copies.changesSince(shareID, cursor, readSize)
    for (const row of rows) {
      cursor = row.seq
      yield row
    }
    if (rows.length < readSize) return
  }
}

/** What is told of a row, around what is stored of it as JSON; null when it tells nothing by itself. */
function shareEvent(rootID: string, { kind, seq, data }: ShareRow): ShareEvent | null {
  const place = `"rootID":${JSON.stringify(rootID)},"seq":${seq}`
  switch (kind) {
    case "session":
      return { seq, json: `{"type":"session.updated",${place},"properties":{"info":${data}}}` }
    case "message":
      return { seq, json: `{"type":"message.updated",${place},"properties":{"info":${data}}}` }
    case "part":
      return { seq, json: `{"type":"message.part.updated",${place},"properties":{"part":${data}}}` }
    case "todos":
      return { seq, json: `{"type":"todo.updated",${place},"properties":${data}}` }
    case "task":
      return { seq, json: `{"type":"task.updated",${place},"properties":{"task":${data}}}` }
    case "removed":
      return data === "null" ? null : { seq, json: `{${place},${data.slice(1)}` }
  }
}
