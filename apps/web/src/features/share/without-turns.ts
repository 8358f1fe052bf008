/**
 * Characters that change the text direction: embeddings, overrides and isolates. The marks used in Arabic and Hebrew
 * words stay.
 */
const turns = /[\u202A-\u202E\u2066-\u2069]/g

/** A copy of plain data without characters that would make a text look different from its content. */
export function withoutTurns<T>(value: T): T {
  // The structure is unchanged.
  return turned(value) as T
}

function turned(value: unknown): unknown {
  if (typeof value === "string") return value.replace(turns, "")
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, turned(member)]))
}
