import { matchesIn, mergedMatches, type SearchTerm, type TextMatch } from "../../ground/query/index.ts"

/** A piece of a text around what was looked for. */
export interface Excerpt {
  /** On one line; an ellipsis stands where something is left out. */
  text: string
  /** Where the words stand in it (UTF-16 units), in order and apart from each other. */
  marks: TextMatch[]
}

/** Characters of an excerpt, and how many of them stand before the first word. */
const size = { all: 160, before: 40 }

/** The text around the first of the terms that it holds, with all of them marked; its beginning where it holds none. */
export function excerptOf(text: string, terms: readonly SearchTerm[]): Excerpt {
  const line = withoutMarks(text).replace(/\s+/g, " ").trim()
  const [{ start: first } = { start: 0 }] = matchesIn(line, terms)
  const from = first <= size.before ? 0 : line.indexOf(" ", first - size.before) + 1 || first
  const start = Math.min(from, first)
  const piece = line.slice(start, start + size.all).toWellFormed()
  const shown = `${start > 0 ? "…" : ""}${piece}${start + size.all < line.length ? "…" : ""}`
  return { text: shown, marks: mergedMatches(matchesIn(shown, terms)) }
}

/** Leaves out what Markdown shows as type or code. */
function withoutMarks(text: string): string {
  return text.replace(/^[^\S\n]*(?:```|~~~).*$/gm, " ").replace(/\*\*|`/g, "")
}
