/**
 * Whether what is laid out of a list reaches over all rows that are in sight elsewhere. Rows that the list does not have
 * are not asked for: they may be folded in another way by now.
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
