import { distanceToEnd, type Geometry } from "./follow.ts"
import { promptExcerpt } from "./rows/prompt-heading.ts"
import type { Row } from "./rows/row.ts"

/** A user's prompt as an entry of the outline. */
export interface OutlineEntry {
  key: string
  /** Index of its row. */
  index: number
  words: string
}

/** The users' prompts in the rows, in order. */
export function outlineOf(rows: readonly Row[]): OutlineEntry[] {
  return rows.flatMap((row, index) =>
    row.kind === "prompt" && !row.synthetic ? [{ key: row.key, index, words: promptExcerpt(row) }] : [],
  )
}

/**
 * The reading position (px from the top of the content): the upper edge of the screen. Within the last screen it moves
 * down with the scroll, so that rows which never reach the upper edge can become current too.
 */
export function readingLine({ top, height, client }: Geometry): number {
  const last = Math.min(client, height - client)
  if (last <= 0) return height
  const rest = distanceToEnd({ top, height, client })
  return top + client * Math.min(1, Math.max(0, 1 - rest / last))
}

/** The prompt that the row belongs to; null for rows before the first prompt. */
export function promptAt(outline: readonly OutlineEntry[], index: number): OutlineEntry | null {
  return outline.findLast((entry) => entry.index <= index) ?? null
}
