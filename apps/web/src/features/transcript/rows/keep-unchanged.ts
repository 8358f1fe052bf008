import type { Row } from "./row.ts"

/** Replaces unchanged rows by the same objects from `previous`; returns `previous` itself when no row changed. */
export function keepUnchanged(rows: Row[], previous: readonly Row[]): Row[] {
  const known = new Map(previous.map((row) => [row.key, row]))
  let same = rows.length === previous.length
  const kept = rows.map((row, index) => {
    const old = known.get(row.key)
    const result = old && isSameRow(old, row) ? old : row
    if (result !== previous[index]) same = false
    return result
  })
  // The cast only drops `readonly`: nobody writes to a list of rows.
  return same ? (previous as Row[]) : kept
}

function isSameRow(a: Row, b: Row): boolean {
  const left = Object.entries(a)
  // Both are rows; their fields are compared by name without caring which kind they are.
  const right = b as unknown as Record<string, unknown>
  return a.kind === b.kind && left.every(([name, value]) => isSameValue(value, right[name]))
}

function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSameValue(item, b[index]))
  if (isFlat(a) && isFlat(b)) return Object.entries(a).every(([name, value]) => b[name] === value)
  return false
}

/** Whether the value is a flat record, as `step`, `totals` and spans are. Each call creates new ones. */
function isFlat(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.values(value).every(isPlain)
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== "object"
}
