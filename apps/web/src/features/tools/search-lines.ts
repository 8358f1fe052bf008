/** Lines that hold the text, whatever the case; none for an empty one. No pattern: every character counts as itself. */
export function searchLines(lines: readonly string[], wanted: string): number[] {
  const text = wanted.toLowerCase()
  if (text === "") return []
  const found: number[] = []
  for (const [index, line] of lines.entries()) if (line.toLowerCase().includes(text)) found.push(index)
  return found
}
