/** Indexes of lines that contain the text, ignoring case; none for an empty text. The text is not a pattern. */
export function searchLines(lines: readonly string[], searchText: string): number[] {
  const text = searchText.toLowerCase()
  if (text === "") return []
  const found: number[] = []
  for (const [index, line] of lines.entries()) if (line.toLowerCase().includes(text)) found.push(index)
  return found
}
