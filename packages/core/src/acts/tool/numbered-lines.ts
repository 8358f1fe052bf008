/** Lines shown around a stretch. */
const contextLines = 2
/** More lines are not shown. */
const shownLines = 30
/** Characters of a line that are shown. */
const shownLine = 200

/** Lines of a text, the first one is 0. */
export interface Stretch {
  first: number
  last: number
}

/**
 * Stretches of a text with the lines around them, numbered as `read` does. `isWhole` is false when there are more lines
 * than are shown.
 */
export function numberedLines(text: string, stretches: readonly Stretch[]): { shown: string; isWhole: boolean } {
  const lines = text.split("\n")
  const picked = new Set<number>()
  for (const { first, last } of stretches) {
    const end = Math.min(lines.length - 1, last + contextLines)
    for (let line = Math.max(0, first - contextLines); line <= end && picked.size <= shownLines; line++)
      picked.add(line)
  }
  const shown = [...picked].slice(0, shownLines)
  return {
    shown: shown.map((line) => `${line + 1}: ${(lines[line] ?? "").trimEnd().slice(0, shownLine)}`).join("\n"),
    isWhole: picked.size <= shownLines,
  }
}
