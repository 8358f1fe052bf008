import { type Squeezed, squeeze, type VisibleText } from "./visible-text.ts"

/** UTF-16 offsets; `to` is exclusive. */
export interface TextRange {
  from: number
  to: number
}

/** A text drawn on the screen, and the selected range of it. */
export interface Drawn extends TextRange {
  text: string
}

/**
 * How much context on each side of the selection is compared to find its place (units, white space not counted). A
 * smaller width is tried only when nothing matches with the larger one.
 */
const contextWidths = [400, 80, 0]

/**
 * The source range of text selected on the screen. Returns a range only if it is certain: the selected text with its
 * context occurs exactly once in what the source draws. Otherwise returns null.
 */
export function placeSelection(visible: VisibleText, drawn: Drawn): TextRange | null {
  const screen = squeeze(drawn.text)
  const [begin, end] = spanOf(screen, drawn)
  if (begin === end) return null
  const all = squeeze(visible.text)
  const at = onlyPlace(all.text, screen.text, begin, end)
  return at === null ? null : sourceRange(visible, all.at.slice(at, at + end - begin))
}

/** The range on the screen where a source range is drawn; null when it is not drawn, or not certain. */
export function findDrawn(visible: VisibleText, range: TextRange, drawn: string): TextRange | null {
  const all = squeeze(visible.text)
  const isMeant = (index: number) => {
    const at = all.at[index] ?? 0
    return (visible.from[at] ?? -1) >= range.from && (visible.to[at] ?? -1) <= range.to
  }
  const begin = all.at.findIndex((_, index) => isMeant(index))
  if (begin < 0) return null
  let end = begin
  while (end < all.at.length && isMeant(end)) end += 1
  const screen = squeeze(drawn)
  const at = onlyPlace(screen.text, all.text, begin, end)
  if (at === null) return null
  return { from: screen.at[at] ?? 0, to: (screen.at[at + end - begin - 1] ?? 0) + 1 }
}

/** Indexes of the squeezed text that correspond to a range of the full text. */
function spanOf({ at }: Squeezed, { from, to }: TextRange): [number, number] {
  const begin = at.findIndex((place) => place >= from)
  if (begin < 0) return [0, 0]
  const end = at.findIndex((place) => place >= to)
  return [begin, Math.max(begin, end < 0 ? at.length : end)]
}

/**
 * The only position in `text` of the piece `begin` to `end` of `other`: compared with its context, or without if the
 * contexts differ.
 */
function onlyPlace(text: string, other: string, begin: number, end: number): number | null {
  for (const width of contextWidths) {
    const first = Math.max(0, begin - width)
    const piece = other.slice(first, end + width)
    const found = text.indexOf(piece)
    if (found < 0) continue
    return text.indexOf(piece, found + 1) < 0 ? found + begin - first : null
  }
  return null
}

/** The source range that draws these units; null unless all of them come from the source in this order. */
function sourceRange({ from, to }: VisibleText, units: readonly number[]): TextRange | null {
  const [first] = units
  const last = units.at(-1)
  if (first === undefined || last === undefined) return null
  let before = -1
  for (const unit of units) {
    const place = from[unit] ?? -1
    if (place < 0 || place < before) return null
    before = place
  }
  return { from: from[first] ?? 0, to: to[last] ?? 0 }
}
