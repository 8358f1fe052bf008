import type { Row } from "./row.ts"

/** The rows with the lanes open that the reader has opened, by part. */
export function openLanes(rows: readonly Row[], open: ReadonlyMap<string, boolean>): Row[] {
  return rows.map((row) => {
    if (row.kind !== "lanes") return row
    const chosen = row.tasks.filter(({ id }) => open.get(id) === true).map(({ id }) => id)
    return chosen.length === 0 ? row : { ...row, open: chosen }
  })
}
