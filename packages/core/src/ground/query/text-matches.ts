import type { SearchTerm } from "./search-ask.ts"
import { type Word, wordsIn } from "./words.ts"

/** A range of a text (UTF-16 units). */
export interface TextMatch {
  start: number
  end: number
}

/** The matches of the terms in a text, each as soon as its last word is read, so the first needs no further reading. */
export function* matchesIn(text: string, terms: readonly SearchTerm[]): Generator<TextMatch> {
  const seen: Word[] = []
  for (const word of wordsIn(text)) {
    if (!word.isJoined) seen.push(word)
    for (const term of terms) {
      const first = word.isJoined ? (endsWith([word], term) ? word : null) : firstWordOf(seen, term)
      if (first !== null) yield { start: first.start, end: word.end }
    }
  }
}

/** The first word of the term, when its words are the last of these. */
function firstWordOf(seen: readonly Word[], term: SearchTerm): Word | null {
  return endsWith(seen, term) ? (seen[seen.length - term.words.length] ?? null) : null
}

/** Whether the words of the term are the last of these. */
function endsWith(seen: readonly Word[], { words, isPrefix }: SearchTerm): boolean {
  if (seen.length < words.length) return false
  return words.every((word, index) => {
    const text = seen[seen.length - words.length + index]?.text
    return isPrefix && index === words.length - 1 ? text?.startsWith(word) === true : text === word
  })
}

/** The matches in order; those that overlap or touch are joined. */
export function mergedMatches(matches: Iterable<TextMatch>): TextMatch[] {
  const sorted = [...matches].sort((a, b) => a.start - b.start || b.end - a.end)
  return sorted.reduce<TextMatch[]>((apart, match) => {
    const last = apart.at(-1)
    if (last && match.start <= last.end) last.end = Math.max(last.end, match.end)
    else apart.push({ ...match })
    return apart
  }, [])
}
