/** Truncates a text at a line end near `limit` (UTF-16 units) and says how many lines are missing. */
export function clipText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const end = text.lastIndexOf("\n", limit)
  const head = text.slice(0, end > limit / 2 ? end : limit)
  const missing = text.slice(head.length).trim().split("\n").length
  return `${head}\n… ${missing} more ${missing === 1 ? "line" : "lines"}`
}
