import type { MessageWithParts, Part } from "@docket/core/schema"
import type { PageInput } from "@docket/core/tree"
import { clipPart, isClipped } from "./clip-part.ts"
import { holdsPlace } from "./holds-place.ts"

/** About three screens of a phone. */
const mostRows = 40
/** UTF-16 units of the messages as JSON: with the rows that they make, less than 40 kB of a compressed page. */
const mostText = 48_000

/** Parts that have no row. */
const rowless: ReadonlySet<Part["type"]> = new Set(["step-start", "step-finish", "patch"])

/**
 * Picks the messages that are sent with the page: the newest ones, or those around a part or message. Returns null when
 * not even one message fits. `cut` lists the parts that were shortened.
 */
export function fitFirst(page: PageInput, around: string | null): { page: PageInput; cut: string[] } | null {
  const { items } = page
  const place = around === null ? -1 : items.findIndex((message) => holdsPlace(message, around))
  const start = place < 0 ? items.length - 1 : place
  const anchor = items[start]
  if (anchor === undefined) return null
  const clipped = new Map([[start, clipMessage(anchor)]])
  let room = roomAfter({ rows: mostRows, text: mostText }, clipped.get(start))
  if (room.text < 0) return null
  let [from, to] = [start, start]
  for (let grew = true; grew; ) {
    grew = false
    for (const index of [from - 1, to + 1]) {
      const next = items[index]
      if (next === undefined) continue
      const message = clipMessage(next)
      const rest = roomAfter(room, message)
      if (rest.rows < 0 || rest.text < 0) continue
      room = rest
      clipped.set(index, message)
      if (index < from) from = index
      else to = index
      grew = true
    }
  }
  const kept = items.slice(from, to + 1)
  const messages = kept.flatMap((_, at) => clipped.get(from + at) ?? [])
  return {
    page: {
      seq: page.seq,
      items: messages,
      before: from > 0 ? (messages[0]?.info.id ?? null) : page.before,
      after: to < items.length - 1 ? (messages.at(-1)?.info.id ?? null) : page.after,
    },
    cut: cutParts(kept, messages),
  }
}

function clipMessage({ info, parts }: MessageWithParts): MessageWithParts {
  return { info, parts: parts.map(clipPart) }
}

/** The room that is left after a message. */
function roomAfter(room: { rows: number; text: number }, message: MessageWithParts | undefined) {
  if (message === undefined) return room
  const rows = message.parts.filter(({ type }) => !rowless.has(type)).length
  return { rows: room.rows - rows, text: room.text - JSON.stringify(message).length }
}

function cutParts(whole: readonly MessageWithParts[], clipped: readonly MessageWithParts[]): string[] {
  return whole.flatMap(({ parts }, at) =>
    parts.flatMap((part, index) => {
      const shown = clipped[at]?.parts[index]
      return shown !== undefined && isClipped(part, shown) ? [part.id] : []
    }),
  )
}
