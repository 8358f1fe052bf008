/** A text as a regular expression that matches it alone. */
export function escaped(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
}
