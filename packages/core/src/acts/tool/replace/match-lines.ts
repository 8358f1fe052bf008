import { findSequence } from "./find-sequence.ts"
import { type Region, regionOfLines, type SearchedText } from "./searched-text.ts"

/** What counts of a line in a comparison. */
export type LineKey = (line: string) => string

/** Where lines occur whose keys are those of the given lines, in order. Takes linear time. */
export function* matchLines(file: SearchedText, lines: readonly string[], key: LineKey): Generator<Region> {
  if (lines.length > file.lines.length) return
  const ids = new Map<string, number>()
  const idOf = (line: string) => {
    const text = key(line)
    const known = ids.get(text)
    if (known !== undefined) return known
    ids.set(text, ids.size)
    return ids.size - 1
  }
  const wanted = lines.map(idOf)
  for (const first of findSequence(file.lines.map(idOf), wanted)) {
    yield regionOfLines(file, first, first + lines.length - 1)
  }
}
