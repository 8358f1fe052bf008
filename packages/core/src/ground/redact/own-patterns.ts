import { RE2JS } from "re2js"
import type { DecodedText } from "./decoded-text.ts"
import type { Hit } from "./hit.ts"

/** A pattern of the configuration: what it matches is hidden under its name. */
export interface OwnPattern {
  name: string
  /** In RE2's syntax: without look-around and back-references, so that its time is linear in the text. */
  pattern: string
}

/** Most units of a pattern: a counted repetition of repetitions grows as it is compiled. */
const longestPattern = 500
/** RE2 itself limits a repetition to 1,000; what one pattern may grow to is bounded here (instructions). */
const largestProgram = 5_000

/** Why the pattern cannot be used, in words for people; null when it can. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > longestPattern) return `is longer than ${longestPattern} characters`
  try {
    const compiled = RE2JS.compile(pattern)
    if (compiled.matcher("").matches()) return "matches the empty text"
    return compiled.programSize() > largestProgram ? "is too large: repeat less" : null
  } catch (error) {
    return `is not understood: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Looks for what these patterns match; one that cannot be used is passed over. */
export function createOwnPatterns(patterns: readonly OwnPattern[]): (view: DecodedText) => Hit[] {
  const usable = patterns.filter(({ pattern }) => patternProblem(pattern) === null)
  const compiled = usable.map(({ name, pattern }) => ({ name, expression: RE2JS.compile(pattern) }))
  return (view) =>
    compiled.flatMap(({ name, expression }) => {
      const hits: Hit[] = []
      const matcher = expression.matcher(view.text)
      while (matcher.find()) {
        const [start, end] = [matcher.start(), matcher.end()]
        if (end === start) continue
        const secret = view.text.slice(start, end)
        hits.push({ rule: `pattern:${name}`, label: name, start: view.from(start), end: view.to(end), secret })
      }
      return hits
    })
}
