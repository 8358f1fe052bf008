/** A regular expression that matches only this text. */
export function escaped(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
}
