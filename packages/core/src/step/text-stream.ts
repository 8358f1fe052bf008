import type { TurnWriter } from "../loop/turn-writer.ts"
import type { ReasoningPart, TextPart } from "../schema/index.ts"
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
  deps: { writer: TurnWriter; clock: () => number },
  initial: TextPart | ReasoningPart,
): TextStream {
  const { writer, clock } = deps
  let part = initial
  let text = initial.text
  let sent = text.length
  let created = false
  let ended = false
  let timer: NodeJS.Timeout | null = null
  let flushTimer: NodeJS.Timeout | null = null
  let flushed = sent
  const flush = () => {
    const isPause = sent === flushed
    flushed = sent
    flushTimer = isPause ? null : setTimeout(flush, flushMs)
    part = { ...part, text: text.slice(0, sent) }
    void writer.part(part, { quiet: !isPause })
  }
  const send = () => {
    timer = null
    // Readers cannot place a delta of a part that they have not seen.
    if (!created || ended || sent === text.length) return
    writer.delta(part, sent, text.slice(sent))
    sent = text.length
    flushTimer ??= setTimeout(flush, flushMs)
  }
  const schedule = () => {
    timer ??= setTimeout(send, deltaMs)
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
      if (timer !== null) clearTimeout(timer)
      if (flushTimer !== null) clearTimeout(flushTimer)
      const time = { start: part.time?.start ?? clock(), end: clock() }
      void writer.part({ ...part, text, time })
    },
  }
}
