import { distanceToEnd, type Geometry } from "./follow.ts"
import { promptExcerpt } from "./rows/prompt-heading.ts"
import type { Row } from "./rows/row.ts"

/** A prompt of a person, as the outline names it. */
export interface OutlineEntry {
  key: string
  /** Its place in the rows. */
  index: number
  words: string
}

/** The prompts of people in the rows, in order. */
export function outlineOf(rows: readonly Row[]): OutlineEntry[] {
  return rows.flatMap((row, index) =>
    row.kind === "prompt" && !row.synthetic ? [{ key: row.key, index, words: promptExcerpt(row) }] : [],
  )
}

/**
 * Where on the screen the reader is (px from the top of the content): at its upper edge, and within the last screen
 * as far down as that is scrolled through, so that rows which never reach the upper edge have their turn too.
 */
export function readingLine({ top, height, client }: Geometry): number {
  const last = Math.min(client, height - client)
  if (last <= 0) return height
  const left = distanceToEnd({ top, height, client })
  return top + client * Math.min(1, Math.max(0, 1 - left / last))
}

/** The prompt that the row belongs to; null above the first. */
export function promptAt(outline: readonly OutlineEntry[], index: number): OutlineEntry | null {
  return outline.findLast((entry) => entry.index <= index) ?? null
}
