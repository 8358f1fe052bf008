import { RE2JS } from "re2js"
import type { DecodedText } from "./decoded-text.ts"
import type { Hit } from "./hit.ts"

/** A pattern of the configuration: its matches are hidden under its name. */
export interface OwnPattern {
  name: string
  /** In RE2's syntax, without look-around and back-references, so that matching takes linear time. */
  pattern: string
}

/** Most units of a pattern, because nested counted repetitions grow when they are compiled. */
const longestPattern = 500
/** Most instructions of a compiled pattern. RE2 itself only limits a single repetition, to 1,000. */
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

/** Finds the matches of these patterns; a pattern that cannot be used is ignored. */
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
