import type { Row } from "./rows/row.ts"

/** Rows where `j` and `k` stop: every row that a link or a reader can refer to. */
export function isStop(row: Row): boolean {
  return row.kind !== "meta" && row.kind !== "waiting"
}

export function isError(row: Row): boolean {
  if (row.kind === "lanes") return row.tasks.some(({ state }) => state.status === "error")
  if (row.kind === "part") return row.part.type === "tool" && row.part.state.status === "error"
  return row.kind === "error"
}

/**
 * Index of the next row in a direction that passes the test, or null at the edge. From -1 the search starts at the near
 * edge.
 */
export function nextRow(rows: readonly Row[], from: number, step: 1 | -1, test: (row: Row) => boolean): number | null {
  const start = from < 0 ? (step === 1 ? 0 : rows.length - 1) : from + step
  for (let index = start; index >= 0 && index < rows.length; index += step) {
    const row = rows[index]
    if (row && test(row)) return index
  }
  return null
}
