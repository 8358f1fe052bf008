/** Most units of a text that is remembered, and most of such texts. */
const limits = { units: 100, texts: 1_000 }

/**
 * Remembers what a function says of short texts: rows are full of the same names of members, of tools and of models. The
 * function depends on the text alone.
 */
export function rememberShort<T>(of: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    if (text.length > limits.units) return of(text)
    const there = known.get(text)
    if (there !== undefined) return there
    const made = of(text)
    if (known.size === limits.texts) known.clear()
    known.set(text, made)
    return made
  }
}
