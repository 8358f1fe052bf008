/** Where a character offset lies in a text; both numbers are 1-based. */
export interface TextPosition {
  line: number
  column: number
}

/** Line and column of `offset` in `text`. An offset past the end is the last position. */
export function textPosition(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset)
  const line = before.split("\n").length
  return { line, column: before.length - before.lastIndexOf("\n") }
}
