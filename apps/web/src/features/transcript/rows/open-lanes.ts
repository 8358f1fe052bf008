import type { Row } from "./row.ts"

/** Sets `open` of each lanes row to the parts that the reader opened. */
export function openLanes(rows: readonly Row[], open: ReadonlyMap<string, boolean>): Row[] {
  return rows.map((row) => {
    if (row.kind !== "lanes") return row
    const chosen = row.tasks.filter(({ id }) => open.get(id) === true).map(({ id }) => id)
    return chosen.length === 0 ? row : { ...row, open: chosen }
  })
}
