import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import type { ReasoningPart, TextPart } from "../../ground/schema/index.ts"
import type { TurnWriter } from "../loop/turn-writer.ts"
import { mergedMetadata } from "./stored-metadata.ts"

/** Deltas of one part are joined for this long before they go out. */
const deltaMs = 25
/**
 * What was sent reaches the row within this time: what a crash may lose. When nothing follows for as long again, readers
 * are told the part as it stands, for those who came between a delta and its row.
 */
const flushMs = 250

export interface TextStream {
  append(text: string): void
  /** Adds what the provider says of the part; it is stored with the text. */
  annotate(providerMetadata: TextPart["providerMetadata"]): void
  /** Writes the whole text. Further calls do nothing. */
  end(): void
}

/** Streams one text or reasoning part: deltas to the readers, the text to its row now and then. */
export function createTextStream(
  { writer, clock, timers = nodeTimers }: { writer: TurnWriter; clock: () => number; timers?: Timers },
  initial: TextPart | ReasoningPart,
): TextStream {
  let part = initial
  let text = initial.text
  let sent = text.length
  let created = false
  let ended = false
  let cancelSend: (() => void) | null = null
  let cancelFlush: (() => void) | null = null
  let flushed = sent
  const flush = () => {
    const isPause = sent === flushed
    flushed = sent
    cancelFlush = isPause ? null : timers.after(flushMs, flush)
    part = { ...part, text: text.slice(0, sent) }
    void writer.part(part, { quiet: !isPause })
  }
  const send = () => {
    cancelSend = null
    // Readers cannot place a delta of a part that they have not seen.
    if (!created || ended || sent === text.length) return
    writer.delta(part, sent, text.slice(sent))
    sent = text.length
    cancelFlush ??= timers.after(flushMs, flush)
  }
  const schedule = () => {
    cancelSend ??= timers.after(deltaMs, send)
  }
  writer.part(part).then(
    () => {
      created = true
      if (sent < text.length) schedule()
    },
    () => {},
  )
  return {
    append(more) {
      text += more
      schedule()
    },
    annotate(providerMetadata) {
      part = { ...part, ...mergedMetadata(part.providerMetadata, providerMetadata) }
    },
    end() {
      if (ended) return
      ended = true
      cancelSend?.()
      cancelFlush?.()
      const time = { start: part.time?.start ?? clock(), end: clock() }
      void writer.part({ ...part, text, time })
    },
  }
}
