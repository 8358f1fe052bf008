/** What the rehearsal model says and does in one answer. Without calls the turn is over. */
export interface Move {
  reasoning: string
  text: string
  calls: { tool: string; input: Record<string, unknown> }[]
}

export function clip(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length > length ? `${line.slice(0, length - 1).trimEnd()}…` : line
}
