import { countLines } from "../../ui/fold-text.ts"

/** Longer texts are opened over the page: in its place they would hold the page up (UTF-16 units, and lines). */
const longest = { units: 40_000, lines: 2_000 }

/** Whether a text can be shown whole in its place. Each paragraph is drawn by itself, so that many short ones are too many. */
export function fitsInPlace(text: string): boolean {
  return text.length <= longest.units && countLines(text) <= longest.lines
}
