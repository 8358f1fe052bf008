import { asciiLower } from "../store/index.ts"

/** A piece of a text around what was looked for. */
export interface Excerpt {
  /** On one line; an ellipsis stands where something is left out. */
  text: string
  /** Where the words stand in it, in order and apart from each other. */
  marks: { start: number; end: number }[]
}

/** Characters of an excerpt, and how many of them stand before the first word. */
const size = { all: 160, before: 40 }

/** The text around the first of the words that it holds, with all of them marked. */
export function excerptOf(text: string, words: readonly string[]): Excerpt {
  const line = withoutMarks(text, words).replace(/\s+/g, " ").trim()
  const lower = asciiLower(line)
  const places = words.map((word) => lower.indexOf(asciiLower(word))).filter((at) => at >= 0)
  const first = places.length === 0 ? 0 : Math.min(...places)
  const from = first <= size.before ? 0 : line.indexOf(" ", first - size.before) + 1 || first
  const start = Math.min(from, first)
  const piece = line.slice(start, start + size.all).toWellFormed()
  const shown = `${start > 0 ? "…" : ""}${piece}${start + size.all < line.length ? "…" : ""}`
  return { text: shown, marks: marksOf(shown, words) }
}

/** Leaves out what Markdown shows as type or code, unless it was looked for. */
function withoutMarks(text: string, words: readonly string[]): string {
  if (words.some((word) => /[`*]/.test(word))) return text
  return text.replace(/^\s*(?:```|~~~).*$/gm, " ").replace(/\*\*|`/g, "")
}

function marksOf(text: string, words: readonly string[]): Excerpt["marks"] {
  const lower = asciiLower(text)
  const marks: Excerpt["marks"] = []
  for (const word of words.map(asciiLower)) {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length)) {
      marks.push({ start: at, end: at + word.length })
    }
  }
  marks.sort((a, b) => a.start - b.start || b.end - a.end)
  return marks.reduce<Excerpt["marks"]>((apart, mark) => {
    const last = apart.at(-1)
    if (last && mark.start <= last.end) last.end = Math.max(last.end, mark.end)
    else apart.push({ ...mark })
    return apart
  }, [])
}
