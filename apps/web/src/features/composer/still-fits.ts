/**
 * Whether a suggestion for an earlier text may still be one: it has the typed letters, in their order. Used until the
 * suggestions for the text are here, so that a quick Enter takes nothing that was not meant.
 */
export function stillFits(suggestion: string, typed: string): boolean {
  let at = 0
  const text = suggestion.toLowerCase()
  // A value with spaces is typed between quotation marks.
  for (const letter of typed.toLowerCase().replace(/^"/, "")) {
    at = text.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}
