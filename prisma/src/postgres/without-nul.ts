/**
 * PostgreSQL does not allow NUL in texts and refuses a query with one. No row can contain it, so a substitute is used.
 */
export function withoutNul<T>(value: T): T
export function withoutNul(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNul)
  return typeof value === "string" ? value.replaceAll("\0", "\uFFFD") : value
}
