import type { Row } from "./rows/row.ts"

/** Key of the newest permanent row. The row "waiting" is skipped, because the answer replaces it. */
export function newestKey(rows: readonly Row[]): string | null {
  return rows.findLast((row) => row.kind !== "waiting")?.key ?? null
}

/** How many rows follow this one; 0 when the row is missing. */
export function countAfter(rows: readonly Row[], key: string | null): number {
  const index = rows.findIndex((row) => row.key === key)
  return index < 0 ? 0 : rows.slice(index + 1).filter((row) => row.kind !== "waiting").length
}
