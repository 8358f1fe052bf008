/** Characters that nobody sees, by which a text says to a model what it hides from people. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u{E0000}-\u{E0FFF}]/gu
/** Those that only choose the shape of the sign before them: nothing stands in their place. */
const shape = /[\p{Variation_Selector}]/u

/** A text of a server for models: nothing in it is hidden from people. */
export function plain(text: string): string {
  return seen(text).trim()
}

function seen(text: string): string {
  return text.replace(unseen, (character) => {
    if (/[\n\t]/.test(character)) return character
    return shape.test(character) ? "" : " "
  })
}

/** A schema as models read it, its texts as above. Null where a name in it hides something, for names have to stay. */
export function plainSchema(schema: Record<string, unknown>): Record<string, unknown> | null {
  let hides = false
  const clean = (value: unknown): unknown => {
    if (typeof value === "string") return seen(value)
    if (Array.isArray(value)) return value.map(clean)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        hides ||= !isPlain(name)
        return [name, clean(inner)]
      }),
    )
  }
  const cleaned = clean(schema) as Record<string, unknown>
  return hides ? null : cleaned
}

/** Whether nothing in a name is hidden. */
export function isPlain(name: string): boolean {
  return seen(name) === name
}
