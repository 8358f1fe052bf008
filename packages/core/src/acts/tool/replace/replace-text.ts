import { findText } from "./find-sequence.ts"
import { fitReplacement } from "./fit-replacement.ts"
import { notFoundError } from "./not-found.ts"
import { originalPositions, type Put, putAll } from "./put-texts.ts"
import { createSearchWork, type SearchWork } from "./search-work.ts"
import { lineAt, type Region, type SearchedText, searchedText, toLf } from "./searched-text.ts"
import { type Match, type Piece, type Strategy, strategies } from "./strategies.ts"

export interface Replacement {
  oldString: string
  newString: string
  replaceAll: boolean
}

export interface ReplacedText {
  text: string
  /** The number of replacements. */
  count: number
  /** The strategy that found the text; null when it was there exactly. */
  strategy: Pick<Strategy, "name" | "differs"> | null
  /** The replaced places in the new text. */
  places: Region[]
}

/**
 * Replaces a piece of text. LF and CRLF are equal in the search; the new text gets the line ends of the lines that it
 * replaces, so an edit never mixes line ends. A piece that is not there exactly is looked for by looser strategies, one
 * after the other; the first one that finds a single place wins.
 * @throws Error when the piece is empty, unchanged except for line ends, absent (with the nearest lines as a hint) or,
 * without `replaceAll`, not unique. Overlapping occurrences count as several.
 */
export function replaceText(text: string, { replaceAll, ...replacement }: Replacement): ReplacedText {
  const oldString = withoutMark(replacement.oldString)
  const newString = toLf(withoutMark(replacement.newString))
  if (oldString === "") {
    throw new Error(
      "oldString is empty but the file exists. Give the text to replace, or use write for the whole file.",
    )
  }
  if (toLf(oldString) === newString) {
    throw new Error("oldString and newString are the same, so there is nothing to change. Line ends do not count.")
  }
  const found = replaceAll ? apart(occurrences(text, oldString, false)) : few(occurrences(text, oldString, true))
  if (found.length > 1 && !replaceAll) throw new Error(severalMessage(text, oldString))
  if (found.length > 0) {
    const puts = found.map((region) => ({ ...region, text: newString }))
    return { ...putAll(text, puts), count: puts.length, strategy: null }
  }
  return replaceLoosely(text, { oldText: toLf(oldString), newText: newString }, replaceAll)
}

function replaceLoosely(text: string, piece: Piece, replaceAll: boolean): ReplacedText {
  const work = createSearchWork()
  const file = searchedText(toLf(text))
  const original = originalPositions(text)
  const refused: string[] = []
  for (const strategy of strategies) {
    const found = candidates(strategy.find(file, piece, work), replaceAll && strategy.findsSame)
    if (found === "several") refused.push(`${strategy.name} found several places`)
    if (found === "several" || found.length === 0) continue
    if (found.every((match) => file.text.slice(match.start, match.end) === match.newText)) throw new Error(alreadySo)
    const puts = fitAll(file, found, work)
    if (puts === null) {
      refused.push(`${strategy.name} found lines that oldString does not show`)
      continue
    }
    if (puts.every((put) => put.text === file.text.slice(put.start, put.end))) throw new Error(alreadySo)
    const there = puts.map((put) => ({ ...put, start: original(put.start), end: original(put.end) }))
    return { ...putAll(text, there), count: puts.length, strategy }
  }
  throw notFoundError(text, piece.oldText, refused)
}

const alreadySo =
  "The file already reads as newString says at the place that oldString means, so there is nothing to change."

/** One match, or several where all may be replaced. */
function candidates(found: Generator<Match>, all: boolean): Match[] | "several" {
  if (all) return apart([...found])
  const [first, second] = few(found)
  if (first === undefined) return []
  return second === undefined ? [first] : "several"
}

/** Null when one of the places does not fit: it is much larger than what was asked for, or holds other lines. */
function fitAll(file: SearchedText, found: readonly Match[], work: SearchWork): Put[] | null {
  const puts: Put[] = []
  for (const match of found) {
    work.spend(2_000 + match.end - match.start)
    const there = file.text.slice(match.start, match.end)
    if (isMuchLarger(there, match.oldText)) return null
    const text = there === match.oldText ? match.newText : fitReplacement(there, match, work)
    if (text === null) return null
    puts.push({ start: match.start, end: match.end, text })
  }
  return puts
}

/** More lines or characters than a model can have meant. */
function isMuchLarger(there: string, oldText: string): boolean {
  const [lines, asked] = [lineCount(there), lineCount(oldText)]
  if (lines >= Math.max(asked + 3, asked * 2)) return true
  return there.length > Math.max(oldText.length + 500, oldText.length * 4)
}

function lineCount(text: string): number {
  let count = 1
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++
  return count
}

/** The model edits the text without the byte order mark. */
function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text
}

/**
 * Where the piece occurs, whatever the line ends. A single match with exactly the same line ends wins.
 */
function* occurrences(text: string, piece: string, overlapping: boolean): Generator<Region> {
  const region = (start: number) => ({ start, end: start + piece.length })
  // Of all places, those with other line ends are wanted, too.
  if (overlapping && piece.includes("\r\n")) {
    const exact = few(findText(text, piece))
    if (exact.length === 1) return yield* exact.map(region)
  }
  if (!text.includes("\r\n") && !piece.includes("\r\n")) {
    for (const start of findText(text, piece, { overlapping })) yield region(start)
    return
  }
  const original = originalPositions(text)
  const wanted = toLf(piece)
  for (const at of findText(toLf(text), wanted, { overlapping })) {
    yield { start: original(at), end: original(at + wanted.length) }
  }
}

/** The first two: enough to know whether there are several. */
function few<T>(found: Iterable<T>): T[] {
  const first: T[] = []
  for (const one of found) {
    first.push(one)
    if (first.length === 2) break
  }
  return first
}

/** The regions from the first on that do not overlap. */
function apart<T extends Region>(regions: Iterable<T>): T[] {
  const kept: T[] = []
  for (const region of regions) if (region.start >= (kept.at(-1)?.end ?? 0)) kept.push(region)
  return kept
}

/** Occurrences above this number are not counted. */
const MAX_COUNTED = 1_000
/** The lines of the first occurrences are named. */
const MAX_NAMED = 10

function severalMessage(text: string, oldString: string): string {
  const wanted = toLf(oldString)
  const file = searchedText(toLf(text))
  const lines: number[] = []
  for (const at of findText(file.text, wanted)) {
    lines.push(lineAt(file, at) + 1)
    if (lines.length > MAX_COUNTED) break
  }
  const times = lines.length > MAX_COUNTED ? `more than ${MAX_COUNTED}` : `${lines.length}`
  const named = [...new Set(lines)].slice(0, MAX_NAMED).join(", ")
  const more = lines.length > MAX_NAMED ? " and more" : ""
  return `oldString occurs ${times} times (lines ${named}${more}). Add lines around it until it is unique, or set replaceAll to change all of them.`
}
