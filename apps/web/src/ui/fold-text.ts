/** The beginning and the end of a text that is too long to be shown whole. */
export interface FoldedText {
  head: string
  /** Empty when only the beginning is shown. */
  tail: string
  /** Number of lines of the whole text. */
  lines: number
  /** Offset of the tail in the whole text (UTF-16 units). */
  tailAt: number
}

/** How much is shown of a long text, in lines of the column. */
export interface ShownLines {
  head: number
  tail: number
}

/** UTF-16 units in a line of the column: longer lines count as several. */
const lineUnits = 96
/** A text that exceeds the limit by at most this many lines is shown in full. */
const slack = 6

/** The beginning and end of a text that is longer than `shown`; null for a text that is shown in full. */
export function foldText(text: string, shown: ShownLines): FoldedText | null {
  const headEnd = endOfLines(text, shown.head)
  // The rest is examined only as far as it may be shown.
  if (endOfLines(text.slice(headEnd), shown.tail + slack) === text.length - headEnd) return null
  const tailAt = Math.max(headEnd, startOfLines(text, shown.tail))
  return { head: text.slice(0, headEnd).replace(/\n$/, ""), tail: text.slice(tailAt), lines: countLines(text), tailAt }
}

/** Number of lines as an editor counts them: a final line break starts no further line. */
export function countLines(text: string): number {
  let lines = 1
  for (let at = text.indexOf("\n"); at >= 0 && at < text.length - 1; at = text.indexOf("\n", at + 1)) lines += 1
  return lines
}

/** Offset where the first `lines` end, possibly inside a long line. */
function endOfLines(text: string, lines: number): number {
  let at = 0
  for (let used = 0; used < lines && at < text.length; ) {
    const end = text.indexOf("\n", at)
    const stop = end < 0 ? text.length : end
    const takes = Math.max(1, Math.ceil((stop - at) / lineUnits))
    if (used + takes > lines) return beforePair(text, at + (lines - used) * lineUnits)
    used += takes
    at = stop + 1
  }
  return Math.min(at, text.length)
}

/** Offset where the last `lines` begin. */
function startOfLines(text: string, lines: number): number {
  let at = text.endsWith("\n") ? text.length - 1 : text.length
  for (let used = 0; used < lines; ) {
    const start = text.lastIndexOf("\n", at - 1) + 1
    const takes = Math.max(1, Math.ceil((at - start) / lineUnits))
    if (used + takes > lines) return used > 0 ? at + 1 : beforePair(text, at - lines * lineUnits)
    used += takes
    if (start === 0 || used === lines) return start
    at = start - 1
  }
  return text.length
}

/** Moves an offset so that it does not split a surrogate pair. */
function beforePair(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
}
