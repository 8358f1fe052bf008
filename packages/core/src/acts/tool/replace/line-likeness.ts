import { distance } from "fastest-levenshtein"
import type { SearchWork } from "./search-work.ts"

/** Longer lines are only compared for equality. */
const MAX_LINE = 1_000

/** How alike two lines are, from 0 to 1 (equal): the Levenshtein distance in relation to the longer line. */
export function lineLikeness(one: string, other: string, work: SearchWork): number {
  if (one === other) return 1
  const longer = Math.max(one.length, other.length)
  if (longer > MAX_LINE) return 0
  work.spend(16 + (one.length * other.length) / 32)
  return 1 - distance(one, other) / longer
}

/**
 * How alike two blocks of lines are, from 0 to 1: the best way to pair their lines in order. Blank lines and white space
 * around lines do not count.
 */
export function blockLikeness(one: readonly string[], other: readonly string[], work: SearchWork): number {
  const [a, b] = [wordedLines(one), wordedLines(other)]
  const longer = Math.max(a.length, b.length)
  if (longer === 0) return 1
  work.spend(a.length + b.length)
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  const pairs = pairAlike(a.slice(head, a.length - tail), b.slice(head, b.length - tail), work)
  return (head + tail + pairs.reduce((sum, { likeness }) => sum + likeness, 0)) / longer
}

function wordedLines(lines: readonly string[]): string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== "")
}

/** Two lines that stand for each other, by their indexes. */
interface LinePair {
  one: number
  other: number
  /** 0 to 1. */
  likeness: number
}

/** With more comparisons than this, nothing is paired. */
const MAX_COMPARISONS = 250_000

/** Pairs lines in order so that the sum of their likenesses is largest. White space around lines does not count. */
export function pairAlike(one: readonly string[], other: readonly string[], work: SearchWork): LinePair[] {
  const width = other.length + 1
  if (one.length * other.length > MAX_COMPARISONS) return []
  const likeness = new Float64Array((one.length + 1) * width)
  const sums = new Float64Array((one.length + 1) * width)
  const others = other.map((line) => line.trim())
  for (const [row, line] of one.entries()) {
    const trimmed = line.trim()
    for (const [column, text] of others.entries()) {
      const at = (row + 1) * width + column + 1
      likeness[at] = lineLikeness(trimmed, text, work)
      const pair = (sums[at - width - 1] ?? 0) + (likeness[at] ?? 0)
      sums[at] = Math.max(pair, sums[at - width] ?? 0, sums[at - 1] ?? 0)
    }
  }
  return pairsAlong(sums, likeness, { rows: one.length, width })
}

/** Follows the best sums back from the end. */
function pairsAlong(
  sums: Float64Array,
  likeness: Float64Array,
  { rows, width }: { rows: number; width: number },
): LinePair[] {
  const pairs: LinePair[] = []
  let [row, column] = [rows, width - 1]
  while (row > 0 && column > 0) {
    const at = row * width + column
    if (sums[at] === sums[at - width]) row--
    else if (sums[at] === sums[at - 1]) column--
    else {
      row--
      column--
      pairs.push({ one: row, other: column, likeness: likeness[at] ?? 0 })
    }
  }
  return pairs.reverse()
}
