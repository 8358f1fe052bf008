import type { MessageWithParts } from "@docket/core/schema"

export interface FittedPage {
  messages: MessageWithParts[]
  /** Anchors of the pages beside this one; null at the ends of the transcript. */
  before: string | null
  after: string | null
}

/** How many rows a message can make: its parts, and the lines that end it. */
function weight(message: MessageWithParts): number {
  return message.parts.length + 1
}

/**
 * Keeps the messages of a page that make about `limit` rows: those around the linked part, the first ones
 * when reading on, else the newest. At least one message is kept.
 */
export function fitRows(
  page: { items: MessageWithParts[]; before: string | null; after: string | null },
  search: { part?: string | undefined; after?: string | undefined },
  limit: number,
): FittedPage {
  const { items } = page
  const linked = items.findIndex(({ parts }) => parts.some((part) => part.id === search.part))
  let from = linked >= 0 ? linked : search.after ? 0 : items.length - 1
  let to = from
  const first = items[from]
  let room = limit - (first ? weight(first) : 0)
  for (let grew = true; grew; ) {
    grew = false
    for (const index of [to + 1, from - 1]) {
      const next = items[index]
      if (next === undefined || weight(next) > room) continue
      room -= weight(next)
      if (index > to) to = index
      else from = index
      grew = true
    }
  }
  const messages = items.slice(Math.max(0, from), to + 1)
  return {
    messages,
    before: from > 0 ? (messages[0]?.info.id ?? null) : page.before,
    after: to < items.length - 1 ? (messages.at(-1)?.info.id ?? null) : page.after,
  }
}
