import { promptWords } from "./rows/prompt-heading.ts"
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
    row.kind === "prompt" && !row.synthetic ? [{ key: row.key, index, words: promptWords(row) }] : [],
  )
}

/** The prompt that the row belongs to; null above the first. */
export function promptAt(outline: readonly OutlineEntry[], index: number): OutlineEntry | null {
  return outline.findLast((entry) => entry.index <= index) ?? null
}
