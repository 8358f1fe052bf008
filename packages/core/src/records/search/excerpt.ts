import { matchesIn, mergedMatches, type SearchTerm, type TextMatch } from "../../ground/query/index.ts"

/** A piece of a text around the match. */
export interface Excerpt {
  /** One line, with an ellipsis where text is omitted. */
  text: string
  /** Positions of the matched words (UTF-16 units), in order and without overlap. */
  marks: TextMatch[]
}

/** Characters of an excerpt, and how many of them come before the first match. */
const size = { all: 160, before: 40 }

/** The text around the first matching term, with all terms marked; the beginning of the text when none matches. */
export function excerptOf(text: string, terms: readonly SearchTerm[]): Excerpt {
  const line = withoutMarks(text).replace(/\s+/g, " ").trim()
  const [{ start: first } = { start: 0 }] = matchesIn(line, terms)
  // Begins with a whole word shortly before the match; without a space there, with the match itself.
  const from = first <= size.before ? 0 : line.indexOf(" ", first - size.before) + 1 || first
  const start = Math.min(from, first)
  const piece = line.slice(start, start + size.all).toWellFormed()
  const shown = `${start > 0 ? "…" : ""}${piece}${start + size.all < line.length ? "…" : ""}`
  return { text: shown, marks: mergedMatches(matchesIn(shown, terms)) }
}

/** Removes Markdown syntax for code and emphasis. */
function withoutMarks(text: string): string {
  return text.replace(/^[^\S\n]*(?:```|~~~).*$/gm, " ").replace(/\*\*|`/g, "")
}
