/**
 * Whether the rows laid out by the list include all rows that are visible in the other list. Rows that the list does
 * not have are ignored: they may be folded differently now.
 */
export function layOutReaches(
  inSight: readonly string[],
  rows: readonly { key: string }[],
  laidOut: readonly { key: unknown }[],
): boolean {
  const keys = new Set(laidOut.map(({ key }) => key))
  const known = new Set(rows.map(({ key }) => key))
  return inSight.every((key) => keys.has(key) || !known.has(key))
}
