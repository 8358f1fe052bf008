import type { FoundRow } from "@docket/core"

/**
 * The row to go to: `step` rows further, wrapping at both ends. The first time, the first (or last) row in the session
 * on screen, else in the tree. Null when there are no rows.
 */
export function nextRow(
  rows: readonly FoundRow[],
  { partID, sessionID, step }: { partID: string | null; sessionID: string; step: 1 | -1 },
): FoundRow | null {
  const at = rows.findIndex((row) => row.partID === partID)
  if (at >= 0) return rows[(at + step + rows.length) % rows.length] ?? null
  const own = rows.filter((row) => row.sessionID === sessionID)
  const choice = own.length === 0 ? rows : own
  return (step === 1 ? choice[0] : choice.at(-1)) ?? null
}

/** "3 of 41"; "41 rows" before the user has moved to one. */
export function findCount(rows: readonly FoundRow[], partID: string | null, isMore: boolean): string {
  const count = `${rows.length.toLocaleString("en")}${isMore ? "+" : ""}`
  if (rows.length === 0) return "Nothing found"
  const at = rows.findIndex((row) => row.partID === partID)
  return at < 0 ? `${count} ${rows.length === 1 ? "row" : "rows"}` : `${(at + 1).toLocaleString("en")} of ${count}`
}
