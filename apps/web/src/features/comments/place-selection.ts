import { type Squeezed, squeeze, type VisibleText } from "./visible-text.ts"

/** From, and up to, not including, in UTF-16 units. */
export interface TextRange {
  from: number
  to: number
}

/** What of a text is on the screen, and what of that is meant. */
export interface Drawn extends TextRange {
  text: string
}

/** How much of what stands around is looked at to tell one place from another (units that are no white space). */
const framed = [400, 80, 0]

/**
 * Where words that are selected on the screen stand in their source. Only an exact place is answered: the words, with
 * what is drawn around them, are in what the source draws once. Null when there is none.
 */
export function placeSelection(visible: VisibleText, drawn: Drawn): TextRange | null {
  const screen = squeeze(drawn.text)
  const [begin, end] = spanOf(screen, drawn)
  if (begin === end) return null
  const all = squeeze(visible.text)
  const at = onlyPlace(all.text, screen.text, begin, end)
  return at === null ? null : sourceRange(visible, all.at.slice(at, at + end - begin))
}

/** Where a range of the source is drawn on the screen; null when it is not, or not for certain. */
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

/** The units of a squeezed text that a range of the whole one holds. */
function spanOf({ at }: Squeezed, { from, to }: TextRange): [number, number] {
  const begin = at.findIndex((place) => place >= from)
  if (begin < 0) return [0, 0]
  const end = at.findIndex((place) => place >= to)
  return [begin, Math.max(begin, end < 0 ? at.length : end)]
}

/** Where `text` holds that stretch of `other` once, by what stands around it in both or, where that differs, without. */
function onlyPlace(text: string, other: string, begin: number, end: number): number | null {
  for (const width of framed) {
    const first = Math.max(0, begin - width)
    const wanted = other.slice(first, end + width)
    const found = text.indexOf(wanted)
    if (found < 0) continue
    return text.indexOf(wanted, found + 1) < 0 ? found + begin - first : null
  }
  return null
}

/** The stretch of the source that draws these units, when all of them are in it and in its order. */
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
