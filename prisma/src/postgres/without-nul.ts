/** PostgreSQL has no NUL in texts and refuses a query with one; no row can hold it, so that any other stands for it. */
export function withoutNul<T>(value: T): T
export function withoutNul(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNul)
  return typeof value === "string" ? value.replaceAll("\0", "\uFFFD") : value
}
