import { type Row, showsPart } from "./rows/row.ts"
import type { Arrival } from "./use-arrival.ts"

interface Heights {
  heightOf(row: Row): number
  /** Space above the first and below the last row (px). */
  padding: number
  /** Height of the visible area (px); 0 while it is unknown. */
  screen: number
}

/**
 * Initial scroll offset for rows that are not measured yet (px). It is exact enough to draw the rows that will be
 * visible.
 */
export function firstOffset(rows: readonly Row[], arrival: Arrival, { heightOf, padding, screen }: Heights): number {
  const index = findArrivalRow(rows, arrival)
  const before = (end: number) => rows.slice(0, end).reduce((sum, row) => sum + heightOf(row), padding)
  if (index < 0) return Math.max(0, before(rows.length) + padding - screen)
  const top = before(index)
  if (arrival.at === "place") return Math.max(0, top + (arrival.place.row?.above ?? 0))
  return Math.max(0, top - screen / 2)
}

/** Index of the row that the reader opens; -1 when it is not loaded, or when the reader opens the end. */
export function findArrivalRow(rows: readonly Row[], arrival: Arrival): number {
  if (arrival.at === "part") return rows.findIndex((row) => showsPart(row, arrival.part))
  const place = arrival.at === "place" && !arrival.place.following ? arrival.place.row : null
  if (place === null) return -1
  const same = rows.findIndex((row) => row.key === place.key)
  // The loaded rows around the place may be folded differently now.
  return same >= 0 ? same : rows.findIndex((row) => showsPart(row, place.source))
}
