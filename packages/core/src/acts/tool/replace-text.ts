import { nearestLines } from "./nearest-lines.ts"

export interface Replacement {
  oldString: string
  newString: string
  replaceAll: boolean
}

/** `text` with the replacement done and how often. */
export interface ReplacedText {
  text: string
  count: number
}

/** A piece of a text, from its first character to the one after its last. */
interface Region {
  start: number
  end: number
}

/**
 * Replaces an exact piece of text. LF and CRLF count as the same line end when the piece is searched; what is put
 * there gets the line ends of the lines that it replaces, so that an edit never mixes others into a file.
 * @throws Error when the piece is empty, unchanged but for line ends, absent (with the nearest lines as a hint) or,
 *   without `replaceAll`, not unique. Occurrences that overlap are several.
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
  const found = occurrences(text, oldString)
  if (found.length === 0) throw new Error(notFound(text, oldString))
  if (found.length > 1 && !replaceAll) {
    throw new Error(
      `oldString occurs ${found.length} times. Add lines around it until it is unique, or set replaceAll to change all of them.`,
    )
  }
  const replaced = apart(found)
  let result = ""
  let end = 0
  for (const region of replaced) {
    // Line ends are looked for far away in a file of one long line, so only where they are needed.
    const put = newString.includes("\n") ? withLineEnds(newString, lineEnds(text, region)) : newString
    result += text.slice(end, region.start) + put
    end = region.end
  }
  return { text: result + text.slice(end), count: replaced.length }
}

/** A byte order mark is no part of the text that is edited. */
function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text
}

function toLf(text: string): string {
  return text.replaceAll("\r\n", "\n")
}

/** Where the piece stands, whatever the line ends; overlapping ones too. One that has the very same line ends wins. */
function occurrences(text: string, piece: string): Region[] {
  const exact = positions(text, piece).map((start) => ({ start, end: start + piece.length }))
  if (piece.includes("\r\n") && exact.length === 1) return exact
  if (!text.includes("\r\n") && !piece.includes("\r\n")) return exact
  const original = originalPositions(text)
  const wanted = toLf(piece)
  return positions(toLf(text), wanted).map((at) => ({ start: original(at), end: original(at + wanted.length) }))
}

function positions(text: string, piece: string): number[] {
  const found: number[] = []
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) found.push(at)
  return found
}

/** Maps positions of the text with LF to positions of the text. */
function originalPositions(text: string): (position: number) => number {
  const breaks = Array.from(text.matchAll(/\r\n/g), ({ index }, before) => index - before)
  return (position) => position + lowerBound(breaks, position)
}

/** How many of the ascending numbers are less than `limit`. */
function lowerBound(numbers: number[], limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** The occurrences from the first on that do not overlap. */
function apart(regions: Region[]): Region[] {
  const kept: Region[] = []
  for (const region of regions) if (region.start >= (kept.at(-1)?.end ?? 0)) kept.push(region)
  return kept
}

/** The line ends of a region; where it has none, that of its line. */
function lineEnds(text: string, { start, end }: Region): string[] {
  const own = text.slice(start, end).match(/\r?\n/g)
  if (own !== null) return own
  const after = /\r?\n/.exec(text.slice(end))?.[0]
  return [after ?? text.slice(0, start).match(/\r?\n/g)?.at(-1) ?? "\n"]
}

/** Line by line the given ends, the last for all that follow. */
function withLineEnds(text: string, ends: string[]): string {
  let line = 0
  return text.replaceAll("\n", () => ends[Math.min(line++, ends.length - 1)] ?? "\n")
}

function notFound(text: string, oldString: string): string {
  const advice = "oldString was not found in the file. It must match exactly, with all spaces and line breaks."
  if (/^\s*\d+: /.test(oldString)) {
    return `${advice} It starts with a line number of the read output; leave those out.`
  }
  const hint = nearestLines(text, oldString)
  if (hint === null) return `${advice} Read the file again first.`
  return `${advice} The nearest lines are (line numbers are not part of the text):\n${hint}`
}
