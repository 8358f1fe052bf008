/** The day of a time (epoch ms) in UTC, as `2026-01-31`; `never` for null. */
export function dayOf(at: number | null): string {
  return at === null ? "never" : new Date(at).toISOString().slice(0, 10)
}
