/** What turns the direction of writing: embeddings, overrides and isolates. Marks of Arabic and Hebrew words stay. */
const turns = /[\u202A-\u202E\u2066-\u2069]/g

/** A copy of plain data in which no text makes words read otherwise than they are. */
export function withoutTurns<T>(value: T): T {
  // The shape stays.
  return turned(value) as T
}

function turned(value: unknown): unknown {
  if (typeof value === "string") return value.replace(turns, "")
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, turned(member)]))
}
