/** The lines without the blank ones at the beginning and at the end. */
export function withoutBlankEdges(lines: readonly string[]): string[] {
  const isWorded = (line: string) => line.trim() !== ""
  const first = lines.findIndex(isWorded)
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(isWorded) + 1)
}
