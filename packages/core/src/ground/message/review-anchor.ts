import type { AnchoredText, Part, ReviewAnchor } from "../schema/index.ts"

/** UTF-16 units of a quote that are kept, and of the text on each side of it. */
const maxQuote = 2_000
const around = 40

type TextAnchor = Extract<ReviewAnchor, { kind: "text" }>

/** The text of a part in which a range counts (UTF-16 units); null when the part has no such text. */
export function anchoredText(part: Part, of: AnchoredText): string | null {
  if (of === "text") return part.type === "text" || part.type === "reasoning" ? part.text : null
  if (part.type !== "tool") return null
  const { state } = part
  if (of === "input")
    return typeof state.input === "string" ? state.input : JSON.stringify(state.input ?? null, null, 2)
  if (state.status === "completed") return state.output
  return state.status === "error" ? state.error : null
}

/** The quote of a range of a text, with a few characters around it; a long quote is cut. */
export function quoteOf(text: string, { from, to }: { from: number; to: number }) {
  return {
    quote: cutQuote(text.slice(from, to)),
    before: text.slice(Math.max(0, from - around), from),
    after: text.slice(to, to + around),
  }
}

export function cutQuote(quote: string): string {
  return quote.slice(0, maxQuote)
}

/**
 * Where the quote of an anchor is now: at its place, at another place (UTF-16 units of a text, lines of a diff), or
 * nowhere.
 */
export type AnchorState = { state: "there" } | { state: "moved"; from: number; to: number } | { state: "gone" }

/**
 * Finds the text of an anchor in the current content of its part. `part` is null when the part was undone or removed.
 * In an edited text, the quote is found when it occurs exactly once, with its old surroundings or without them.
 */
export function textAnchorState(anchor: TextAnchor, part: Part | null): AnchorState {
  const text = part === null ? null : anchoredText(part, anchor.of)
  if (text === null) return { state: "gone" }
  const { from, to, quote, before, after } = anchor
  if (text.length >= to && text.startsWith(quote, from)) return { state: "there" }
  // The end of a quote that was cut is not known.
  const isWhole = quote.length === to - from
  const framed = isWhole ? onlyPlace(text, before + quote + after) : null
  const place = framed === null ? onlyPlace(text, quote) : framed + before.length
  if (place === null || place + (to - from) > text.length) return { state: "gone" }
  return { state: "moved", from: place, to: place + (to - from) }
}

/** The position of a piece that occurs exactly once in a text; null when it does not, or occurs again. */
function onlyPlace(text: string, piece: string): number | null {
  const first = text.indexOf(piece)
  return first >= 0 && text.indexOf(piece, first + 1) < 0 ? first : null
}
