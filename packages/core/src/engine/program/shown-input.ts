/** Characters of a text of a call that are kept. */
export const longestShown = 50_000

/** The beginning of a text, as it is kept. */
export function cutText(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}

/** The same input comes with each change of its call. */
const known = new WeakMap<object, unknown>()

/** The input of a call as it is kept: one that is too long as the beginning of its JSON. */
export function shownInput(input: unknown): unknown {
  if (typeof input !== "object" || input === null) return typeof input === "string" ? cutText(input) : (input ?? {})
  if (known.has(input)) return known.get(input)
  const json = JSON.stringify(input)
  const shown = json.length > longestShown ? { json: cutText(json) } : input
  known.set(input, shown)
  return shown
}
