import type { Region } from "./searched-text.ts"

/** A place of the file and what comes there. */
export interface Put extends Region {
  text: string
}

/** Puts texts with LF in place of regions that are in order, with the line ends that are there. */
export function putAll(text: string, puts: readonly Put[]): { text: string; places: Region[] } {
  const lineEnds = lineEndsOf(text)
  const made: string[] = []
  const places: Region[] = []
  let end = 0
  let length = 0
  const add = (piece: string) => {
    made.push(piece)
    length += piece.length
  }
  for (const put of puts) {
    add(text.slice(end, put.start))
    const start = length
    // Looking for line ends is slow in a file of one long line, so it is done only when needed.
    add(put.text.includes("\n") ? withLineEnds(put.text, lineEnds(put)) : put.text)
    places.push({ start, end: length })
    end = put.end
  }
  add(text.slice(end))
  return { text: made.join(""), places }
}

/** Maps positions in the text with LF to positions in the original text. */
export function originalPositions(text: string): (position: number) => number {
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

/**
 * The line ends inside a region; if it has none, the one of its line. Regions are asked for in order, so that the text is
 * searched only once.
 */
function lineEndsOf(text: string): (region: Region) => string[] {
  /** The first line break that has not been passed yet; the length of the text for none. */
  let next = -1
  let last: number | null = null
  const endAt = (at: number) => (text[at - 1] === "\r" ? "\r\n" : "\n")
  return ({ start, end }) => {
    const own = text.slice(start, end).match(/\r?\n/g)
    if (own !== null) return own
    if (next < end && next !== text.length) {
      const found = text.indexOf("\n", end)
      next = found < 0 ? text.length : found
    }
    if (next < text.length) return [endAt(next)]
    last ??= text.lastIndexOf("\n")
    return [last < 0 ? "\n" : endAt(last)]
  }
}

/** Applies the given line ends in order; the last one repeats. */
function withLineEnds(text: string, ends: string[]): string {
  let line = 0
  return text.replaceAll("\n", () => ends[Math.min(line++, ends.length - 1)] ?? "\n")
}
