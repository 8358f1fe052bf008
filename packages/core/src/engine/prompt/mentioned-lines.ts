/** Most lines of a file that a mention includes. */
const maxLines = 2_000

/**
 * The lines that a mention like `file:///a.ts?start=3&end=9` names, counted from 1, both included; null for the whole
 * file. Without `end`, or with one that is not a line from `start` on, it is all from `start` on, 2,000 lines at most.
 */
export function mentionedLines(url: string): { start: number; maxLines: number } | null {
  const { searchParams } = new URL(url)
  const start = lineNumber(searchParams.get("start"))
  if (start === null) return null
  const end = lineNumber(searchParams.get("end"))
  return { start, maxLines: end === null || end < start ? maxLines : Math.min(end - start + 1, maxLines) }
}

function lineNumber(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
}
