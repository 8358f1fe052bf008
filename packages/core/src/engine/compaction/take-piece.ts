import { shorten } from "./shorten.ts"

/** Stands between two entries. */
export const separator = "\n\n"

export interface Piece {
  text: string
  /** Index of the first entry after it. */
  next: number
}

/**
 * As many entries from `at` on as `room` holds (UTF-16 units), whole and in order; one at least, which is shortened
 * when it alone is larger.
 */
export function takePiece(entries: readonly string[], at: number, room: number): Piece {
  const taken = [shorten(entries[at] ?? "", room)]
  let size = taken[0]?.length ?? 0
  for (const entry of entries.slice(at + 1)) {
    size += separator.length + entry.length
    if (size > room) break
    taken.push(entry)
  }
  return { text: taken.join(separator), next: at + taken.length }
}
