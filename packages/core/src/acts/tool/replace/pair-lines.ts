import { diffLines } from "./diff-lines.ts"
import { lineLikeness, pairAlike } from "./line-likeness.ts"
import type { SearchWork } from "./search-work.ts"
import { spelledKey } from "./spelled-otherwise.ts"

/**
 * For each remembered line, the index of the line in the file that it stands for; null for none. Equal lines (but for
 * white space and spelling) are paired in order. Between two pairs, as many lines on both sides are pairs as well; if
 * one side has more, those that are alike are.
 */
export function pairLines(old: readonly string[], file: readonly string[], work: SearchWork): (number | null)[] {
  const key = (line: string) => spelledKey(line).replace(/\s+/g, "")
  const partner: (number | null)[] = old.map(() => null)
  let at = 0
  for (const { kind, from, to, added } of diffLines(old.map(key), file.map(key))) {
    if (kind === "same") {
      for (let line = from; line < to; line++) partner[line] = at++
      continue
    }
    pairChanged(partner, { from, to, first: at, count: added.length, old, file, work })
    at += added.length
  }
  return partner
}

interface Stretch {
  from: number
  to: number
  first: number
  count: number
  old: readonly string[]
  file: readonly string[]
  work: SearchWork
}

/** Less alike lines (0 to 1) do not stand for each other. */
const MIN_LIKENESS = 0.5

function pairChanged(partner: (number | null)[], { from, to, first, count, old, file, work }: Stretch): void {
  const mine = worded(old, from, to)
  const theirs = worded(file, first, first + count)
  if (mine.length === theirs.length) {
    // A line that is nothing like the one in its place is another line, which the model has not seen.
    for (const [index, line] of mine.entries()) {
      const there = theirs[index] ?? 0
      const likeness = lineLikeness((old[line] ?? "").trim(), (file[there] ?? "").trim(), work)
      if (likeness >= MIN_LIKENESS) partner[line] = there
    }
    return
  }
  const text = (lines: readonly string[], indexes: readonly number[]) => indexes.map((at) => lines[at] ?? "")
  for (const { one, other, likeness } of pairAlike(text(old, mine), text(file, theirs), work)) {
    const line = mine[one]
    if (line !== undefined && likeness >= MIN_LIKENESS) partner[line] = theirs[other] ?? null
  }
}

/** The indexes of the lines that are not blank. */
function worded(lines: readonly string[], from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index).filter((at) => (lines[at] ?? "").trim() !== "")
}
