/** The texts in code fences of JSON or of no language. Each line is read once, however many fences are open. */
export function* fencedTexts(lines: Iterable<string>): Generator<string> {
  let inside: string[] | null = null
  for (const line of lines) {
    if (inside === null) {
      const end = line.trimEnd()
      if (end.endsWith("```") || end.endsWith("```json")) inside = []
    } else if (line.trimStart().startsWith("```")) {
      yield inside.join("\n")
      inside = null
    } else inside.push(line)
  }
}
