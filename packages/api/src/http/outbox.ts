import { setImmediate as nextTurn } from "node:timers/promises"

/** Writes to many streams together. Each write costs time of the process in which turns run, however short it is. */
export interface Outbox {
  /** @param write gets what was put, in order and joined */
  open(write: (bytes: Uint8Array) => void): OutboxReader
}

export interface OutboxReader {
  put(text: string): void
  /** Writes what is waiting, now. */
  flush(): void
}

interface WaitingReader extends OutboxReader {
  texts: string[]
}

/**
 * The pause between two rounds (ms): its length for each reader of the last round, and its maximum. With more readers,
 * more is sent in one piece.
 */
const pause = { eachReader: 0.25, most: 50 }
/** Number of readers that are written to before the event loop turns. */
const atOnce = 50
/** A reader with more waiting text than this (UTF-16 units) is written to at once. */
const mostWaiting = 256_000

/** Writes in rounds. With few readers, each gets an event in the same turn of the event loop. */
export function createOutbox(): Outbox {
  const join = createJoin()
  const due = new Set<WaitingReader>()
  let lastReaders = 0
  let isWaiting = false
  const round = async () => {
    const readers = [...due]
    due.clear()
    for (let at = 0; at < readers.length; at += atOnce) {
      for (const reader of readers.slice(at, at + atOnce)) reader.flush()
      if (at + atOnce < readers.length) await nextTurn()
    }
    join.forget()
    lastReaders = readers.length
    isWaiting = false
    if (due.size > 0) wait()
  }
  const wait = () => {
    if (isWaiting) return
    isWaiting = true
    const ms = Math.min(pause.eachReader * lastReaders, pause.most)
    if (ms < 1) setImmediate(() => void round())
    else setTimeout(() => void round(), ms)
  }
  return {
    open(write) {
      let units = 0
      const reader: WaitingReader = {
        texts: [],
        put(text) {
          reader.texts.push(text)
          units += text.length
          if (units > mostWaiting) return reader.flush()
          due.add(reader)
          wait()
        },
        flush() {
          due.delete(reader)
          const { texts } = reader
          if (texts.length === 0) return
          reader.texts = []
          units = 0
          write(join.bytes(texts))
        },
      }
      return reader
    },
  }
}

/** Encodes texts as bytes, once for consecutive readers of the same texts. */
function createJoin() {
  let known: { texts: readonly string[]; bytes: Uint8Array } | null = null
  return {
    bytes(texts: readonly string[]): Uint8Array {
      const isKnown = known?.texts.length === texts.length && texts.every((text, index) => text === known?.texts[index])
      if (known === null || !isKnown) known = { texts, bytes: Buffer.from(texts.join("")) }
      return known.bytes
    },
    forget() {
      known = null
    },
  }
}
