/** Control characters, direction marks, and characters without width. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** A text as one line of at most `limit` visible characters. */
export function cleanLine(text: string, limit: number): string {
  // A very long text is not read to its end: eight units for each character leave room for what is removed.
  const line = text
    .slice(0, limit * 8)
    .replace(/\s+/g, " ")
    .replace(unseen, "")
    .trim()
  const characters = [...line]
  return characters.length <= limit
    ? line
    : `${characters
        .slice(0, limit - 1)
        .join("")
        .trimEnd()}…`
}
