import type { MessageWithParts, Part } from "@docket/core/schema"
import { elementsOf } from "./elements-of.ts"
import type { ShareWindow } from "./share-window.ts"

export interface FittedPage {
  messages: MessageWithParts[]
  /** Anchors of the previous and next page; null at the ends of the transcript. */
  before: string | null
  after: string | null
}

/** The limits of one section of a page: as much as a phone renders in a second. */
export interface RowBudget {
  rows: number
  elements: number
}

/** Parts that have no row. */
const rowless: ReadonlySet<Part["type"]> = new Set(["step-start", "step-finish", "patch"])

/**
 * Picks the messages for a page: one section at the start, at the end or around the linked part, and the further
 * sections above and below. Each section has at least one message.
 */
export function fitRows(
  page: { items: MessageWithParts[]; before: string | null; after: string | null },
  { from: side, up, down, part }: ShareWindow & { part?: string | undefined },
  budget: RowBudget,
): FittedPage {
  const { items } = page
  const linked = side === "part" ? items.findIndex(({ parts }) => parts.some(({ id }) => id === part)) : -1
  const start = linked >= 0 ? linked : side === "start" ? 0 : items.length - 1
  let [from, to] = firstRange(items, start, budget)
  for (let count = 0; count < down; count++) to = endOfSection(items, to, 1, budget)
  for (let count = 0; count < up; count++) from = endOfSection(items, from, -1, budget)
  const messages = items.slice(Math.max(0, from), to + 1)
  return {
    messages,
    before: from > 0 ? (messages[0]?.info.id ?? null) : page.before,
    after: to < items.length - 1 ? (messages.at(-1)?.info.id ?? null) : page.after,
  }
}

/** The first section: the indexes of its first and last message, grown from `start` on both sides. */
function firstRange(items: readonly MessageWithParts[], start: number, budget: RowBudget): [number, number] {
  let [from, to] = [start, start]
  let room = roomAfter(budget, items[start])
  for (let grew = true; grew; ) {
    grew = false
    for (const index of [to + 1, from - 1]) {
      const next = items[index]
      if (next === undefined || !hasRoomFor(room, next)) continue
      room = roomAfter(room, next)
      if (index > to) to = index
      else from = index
      grew = true
    }
  }
  return [from, to]
}

/** The index at which the next section ends; the same index at an end of the transcript. */
function endOfSection(items: readonly MessageWithParts[], edge: number, step: 1 | -1, budget: RowBudget): number {
  let at = edge
  let room = budget
  for (;;) {
    const next = items[at + step]
    if (next === undefined || (at !== edge && !hasRoomFor(room, next))) return at
    room = roomAfter(room, next)
    at += step
  }
}

function hasRoomFor(room: RowBudget, message: MessageWithParts): boolean {
  const { rows, elements } = roomAfter(room, message)
  return rows >= 0 && elements >= 0
}

/** The room that is left after a message. It has at most one row for each visible part, and the row that ends it. */
function roomAfter(room: RowBudget, message: MessageWithParts | undefined): RowBudget {
  if (message === undefined) return room
  const rows = message.parts.filter(({ type }) => !rowless.has(type)).length + 1
  return { rows: room.rows - rows, elements: room.elements - elementsOf(message) }
}
