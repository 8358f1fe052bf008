import { findAnchoredBlocks, findBlocksInContext } from "./anchored-blocks.ts"
import { findText } from "./find-sequence.ts"
import { findSpaced, isWholeWords } from "./find-spaced.ts"
import { indentOf } from "./indentation.ts"
import { type LineKey, matchLines } from "./match-lines.ts"
import type { SearchWork } from "./search-work.ts"
import { type Region, type SearchedText, toLf } from "./searched-text.ts"
import { respellings, spelledKey } from "./spelled-otherwise.ts"

/** What a model wants replaced, with LF. */
export interface Piece {
  oldText: string
  newText: string
}

/** A place that a strategy found, and the texts of the model as the strategy reads them. */
export interface Match extends Region, Piece {}

/** A way to find a piece that is not in the file exactly as the model wrote it. */
export interface Strategy {
  name: StrategyName
  /** What the strategy leaves out of account, for the message to the model. */
  differs: string
  /** With `replaceAll` it may replace several places: it finds only texts that read the same. */
  findsSame: boolean
  /** Candidates in the order of the file. */
  find(file: SearchedText, piece: Piece, work: SearchWork): Generator<Match>
}

/** The strategies of the specification after the exact one, in their order; "multi-occurrence" is `replaceAll`. */
export type StrategyName =
  | "line-trimmed"
  | "block-anchor"
  | "whitespace-normalized"
  | "indentation-flexible"
  | "escape-normalized"
  | "trimmed-boundary"
  | "context-aware"

/** `key` tells which lines are equal; a line break at the end of the piece belongs to the last line. */
function* findLines(file: SearchedText, piece: Piece, key: LineKey): Generator<Match> {
  const whole = piece.oldText.endsWith("\n") && piece.oldText.trim() !== ""
  const oldText = whole ? piece.oldText.slice(0, -1) : piece.oldText
  const lines = oldText.split("\n")
  if (lines.every((line) => line.trim() === "")) return
  // A piece of whole lines that is to be deleted takes its last line break with it.
  const takesBreak = whole && piece.newText === ""
  const newText = whole && piece.newText.endsWith("\n") ? piece.newText.slice(0, -1) : piece.newText
  for (const { start, end } of matchLines(file, lines, key)) {
    const last = takesBreak && file.text[end] === "\n" ? end + 1 : end
    yield { start, end: last, oldText: takesBreak && last > end ? `${oldText}\n` : oldText, newText }
  }
}

const trimmed: LineKey = (line) => line.trim()

const lineTrimmed: Strategy = {
  name: "line-trimmed",
  differs: "in white space around lines",
  findsSame: true,
  *find(file, piece) {
    yield* findLines(file, piece, trimmed)
  },
}

const blockAnchor: Strategy = {
  name: "block-anchor",
  differs: "in lines between the first and the last one",
  findsSame: false,
  *find(file, piece, work) {
    const { oldText, newText } = withoutLastBreak(piece)
    for (const region of findAnchoredBlocks(file, oldText.split("\n"), work)) yield { ...region, oldText, newText }
  },
}

const whitespaceNormalized: Strategy = {
  name: "whitespace-normalized",
  differs: "in white space",
  findsSame: true,
  *find(file, piece) {
    const within = withoutBlankEnds(piece)
    for (const region of findSpaced(file.text, within.oldText)) yield fromLineStart(file, region, within)
  },
}

const indentationFlexible: Strategy = {
  name: "indentation-flexible",
  differs: "in its indentation as a whole",
  findsSame: true,
  *find(file, piece, work) {
    const wanted = withoutIndent(piece.oldText.split("\n")).join("\n")
    for (const match of findLines(file, piece, trimmed)) {
      work.spend(match.end - match.start)
      const { start, end } = match
      const there = withoutIndent(file.text.slice(start, end).split("\n")).join("\n")
      if (there.trimEnd() === wanted.trimEnd()) yield match
    }
  },
}

const escapeNormalized: Strategy = {
  name: "escape-normalized",
  differs: "in escapes, quotes or line numbers",
  findsSame: true,
  *find(file, piece, work) {
    for (const { old, put } of respellings) {
      const oldText = old(piece.oldText)
      if (oldText === piece.oldText) continue
      const spelled = { oldText: toLf(oldText), newText: toLf(put(piece.newText)) }
      const found = [...firstOf(findExact(file.text, spelled), lineTrimmed.find(file, spelled, work))]
      yield* found
      if (found.length > 0) return
    }
    yield* findLines(file, piece, spelledKey)
  },
}

const trimmedBoundary: Strategy = {
  name: "trimmed-boundary",
  differs: "in white space at its beginning or end",
  findsSame: true,
  *find(file, piece, work) {
    if (piece.oldText.trim() === piece.oldText) return
    yield* firstOf(findWords(file.text, withoutEnds(piece)), lineTrimmed.find(file, withoutBlankEnds(piece), work))
  },
}

const contextAware: Strategy = {
  name: "context-aware",
  differs: "in less than half of its lines",
  findsSame: false,
  *find(file, piece, work) {
    const { oldText, newText } = withoutLastBreak(piece)
    for (const region of findBlocksInContext(file, oldText.split("\n"), work)) yield { ...region, oldText, newText }
  },
}

export const strategies: readonly Strategy[] = [
  lineTrimmed,
  blockAnchor,
  whitespaceNormalized,
  indentationFlexible,
  escapeNormalized,
  trimmedBoundary,
  contextAware,
]

function* findExact(text: string, piece: Piece): Generator<Match> {
  for (const start of findText(text, piece.oldText)) yield { start, end: start + piece.oldText.length, ...piece }
}

function* findWords(text: string, piece: Piece): Generator<Match> {
  for (const match of findExact(text, piece)) if (isWholeWords(text, match)) yield match
}

/** What the first generator yields; what the second one does if that is nothing. */
function* firstOf(first: Generator<Match>, second: Generator<Match>): Generator<Match> {
  let found = false
  for (const match of first) {
    found = true
    yield match
  }
  if (!found) yield* second
}

/** Blocks end with their last line, without its line break. */
function withoutLastBreak({ oldText, newText }: Piece): Piece {
  if (!oldText.endsWith("\n")) return { oldText, newText }
  return { oldText: oldText.slice(0, -1), newText: newText.endsWith("\n") ? newText.slice(0, -1) : newText }
}

/** Without white space at both ends; the new text loses as much as it has of it. */
function withoutBlankEnds({ oldText, newText }: Piece): Piece {
  const [start, end] = [oldText.length - oldText.trimStart().length, oldText.trimEnd().length]
  const [before, after] = [oldText.slice(0, start), oldText.slice(end)]
  // Of the white space before the first word, the indentation of its line tells how other lines are indented.
  const kept = before.slice(before.lastIndexOf("\n") + 1)
  const lead = before.slice(0, before.length - kept.length)
  const cut = newText.startsWith(lead) ? newText.slice(lead.length) : newText
  const rest = cut.endsWith(after) ? cut.slice(0, cut.length - after.length) : cut.trimEnd()
  return { oldText: oldText.slice(lead.length, end), newText: rest }
}

/** Without all white space at both ends. */
function withoutEnds({ oldText, newText }: Piece): Piece {
  return { oldText: oldText.trim(), newText: newText.trim() }
}

/** A region that begins with the first word of its line begins with the line, if the piece has that indentation too. */
function fromLineStart(file: SearchedText, { start, end }: Region, piece: Piece): Match {
  const lineStart = file.text.lastIndexOf("\n", start - 1) + 1
  const isFirst = file.text.slice(lineStart, start).trim() === ""
  return { start: isFirst ? lineStart : start, end, ...piece }
}

function withoutIndent(lines: readonly string[]): string[] {
  const worded = lines.filter((line) => line.trim() !== "")
  const shared = worded.reduce((least, line) => Math.min(least, indentOf(line).length), Number.POSITIVE_INFINITY)
  return lines.map((line) => (line.trim() === "" ? "" : line.slice(shared).trimEnd()))
}
