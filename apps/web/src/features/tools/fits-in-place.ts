import { countLines } from "../../ui/fold-text.ts"

/** Longer texts open in a viewer over the page; inline they would slow the page down (UTF-16 units, and lines). */
const longest = { units: 40_000, lines: 2_000 }

/**
 * Whether the whole text can be shown inline. Each paragraph is drawn separately, so many short ones are also too many.
 */
export function fitsInPlace(text: string): boolean {
  return text.length <= longest.units && countLines(text) <= longest.lines
}
