/**
 * Characters that change the text direction: embeddings, overrides and isolates. The marks used in Arabic and Hebrew
 * words stay.
 */
const directionMarks = /[\u202A-\u202E\u2066-\u2069]/g

/** A copy of plain data without characters that would make a text look different from its content. */
export function withoutDirectionMarks<T>(value: T): T {
  // The structure is unchanged.
  return cleaned(value) as T
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return value.replace(directionMarks, "")
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleaned(member)]))
}
