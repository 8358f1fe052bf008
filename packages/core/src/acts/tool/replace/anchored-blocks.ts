import { withoutBlankEdges } from "./blank-edges.ts"
import { blockLikeness } from "./line-likeness.ts"
import type { SearchWork } from "./search-work.ts"
import { type Region, regionOfLines, type SearchedText } from "./searched-text.ts"

/** Blocks with fewer lines have too little between their anchors. */
const MIN_LINES = 3
/** More blocks with the same first and last line are not worth the comparison: no single one would stand out. */
const MAX_BLOCKS = 40
/** The lines between the anchors must be at least this alike. */
const MIN_LIKENESS = 0.65
/** The best block must be this much more alike than any other one. */
const MIN_LEAD = 0.15

/** The lines `first` to `last` of the file, between which the anchors stand. */
interface Block {
  first: number
  last: number
}

/**
 * Blocks whose first and last line are those of the piece, whose length differs by a quarter at most, and whose other
 * lines are similar. A block that is clearly more alike than the others is the only one.
 */
export function* findAnchoredBlocks(file: SearchedText, lines: readonly string[], work: SearchWork): Generator<Region> {
  const wanted = withoutBlankEdges(lines)
  if (wanted.length < MIN_LINES) return
  const slack = Math.max(1, Math.floor(wanted.length / 4))
  const middle = wanted.slice(1, -1)
  const blocks = fewBlocks(blocksBetween(file, wanted, slack, work))
  const scored = blocks
    .map((block) => ({ block, likeness: blockLikeness(file.lines.slice(block.first + 1, block.last), middle, work) }))
    .filter(({ likeness }) => likeness >= MIN_LIKENESS)
  const best = bestOfEachStart(scored, wanted.length).sort((a, b) => b.likeness - a.likeness)
  const [winner, second] = best
  if (winner === undefined) return
  const found = second !== undefined && winner.likeness - second.likeness < MIN_LEAD ? best : [winner]
  for (const { block } of found) yield regionOfLines(file, block.first, block.last)
}

/** None when there are too many. */
function fewBlocks(found: Iterable<Block>): Block[] {
  const blocks: Block[] = []
  for (const block of found) {
    blocks.push(block)
    if (blocks.length > MAX_BLOCKS) return []
  }
  return blocks
}

/** Of the blocks that begin at the same line, the one that is most alike, then the one whose length is nearest. */
function bestOfEachStart(
  scored: readonly { block: Block; likeness: number }[],
  length: number,
): { block: Block; likeness: number }[] {
  const best = new Map<number, { block: Block; likeness: number }>()
  const off = ({ first, last }: Block) => Math.abs(last - first + 1 - length)
  for (const one of scored) {
    const other = best.get(one.block.first)
    const better =
      other === undefined ||
      one.likeness > other.likeness ||
      (one.likeness === other.likeness && off(one.block) < off(other.block))
    if (better) best.set(one.block.first, one)
  }
  return [...best.values()]
}

/** Blocks with the piece's first and last line, whose length differs by `slack` lines at most. */
function* blocksBetween(
  file: SearchedText,
  wanted: readonly string[],
  slack: number,
  work: SearchWork,
): Generator<Block> {
  const [top, bottom] = [wanted[0]?.trim(), wanted.at(-1)?.trim()]
  const trimmed = file.lines.map((line) => line.trim())
  work.spend(trimmed.length)
  for (const [first, line] of trimmed.entries()) {
    if (line !== top) continue
    const shortest = first + Math.max(MIN_LINES, wanted.length - slack) - 1
    const longest = first + wanted.length + slack - 1
    work.spend(longest - shortest)
    for (let last = shortest; last <= longest; last++) if (trimmed[last] === bottom) yield { first, last }
  }
}

/**
 * Blocks of as many lines as the piece, with its first and last line, in which at least half of the other lines that are
 * not blank are equal but for white space around them.
 */
export function* findBlocksInContext(
  file: SearchedText,
  lines: readonly string[],
  work: SearchWork,
): Generator<Region> {
  const wanted = withoutBlankEdges(lines)
  if (wanted.length < MIN_LINES) return
  for (const { first, last } of fewBlocks(blocksBetween(file, wanted, 0, work))) {
    work.spend(wanted.length)
    let [equal, counted] = [0, 0]
    for (let at = 1; at < wanted.length - 1; at++) {
      const [line, other] = [file.lines[first + at]?.trim(), wanted[at]?.trim()]
      if (line === "" && other === "") continue
      counted++
      if (line === other) equal++
    }
    if (counted > 0 && equal * 2 >= counted) yield regionOfLines(file, first, last)
  }
}
