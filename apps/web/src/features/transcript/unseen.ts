import type { Row } from "./rows/row.ts"

/** The newest row that stays: what says that an agent is at work goes when its answer comes. */
export function newestKey(rows: readonly Row[]): string | null {
  return rows.findLast((row) => row.kind !== "waiting")?.key ?? null
}

/** How many rows came after this one; 0 when it is not there. */
export function countAfter(rows: readonly Row[], key: string | null): number {
  const index = rows.findIndex((row) => row.key === key)
  return index < 0 ? 0 : rows.slice(index + 1).filter((row) => row.kind !== "waiting").length
}
