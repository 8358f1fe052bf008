/** Indexes of lines that contain the text, ignoring case; none for an empty text. The text is not a pattern. */
export function searchLines(lines: readonly string[], wanted: string): number[] {
  const text = wanted.toLowerCase()
  if (text === "") return []
  const found: number[] = []
  for (const [index, line] of lines.entries()) if (line.toLowerCase().includes(text)) found.push(index)
  return found
}
