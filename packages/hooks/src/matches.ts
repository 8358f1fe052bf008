import { runInNewContext } from "node:vm"

/** Letters, digits, `_`, `-`, and names with `|` or commas between them. */
const plainNames = /^[\w\-,| ]*$/
/** ms for all patterns of one event: nothing else of the service goes on meanwhile. */
const eventMs = 1_000
/** Answers that are remembered: the same few patterns and names come again and again. */
const mostKnown = 2_000

const known = new Map<string, boolean>()

/** Tells whether a hook is for one of the names. */
export type NameMatcher = (matcher: string | undefined, names: readonly string[]) => boolean

/**
 * The matchers of one event. No matcher, or `*`, is for all; names are compared as a whole; anything else is a regular
 * expression that may match anywhere in the first name, the others being names for the same. When the patterns have used
 * the time of the event, the rest of them match: a guard looks once too often rather than never.
 * @param now ms of a clock that only goes forward
 */
export function createNameMatcher(now: () => number): NameMatcher {
  let left = eventMs
  const matchesPattern = (pattern: string, name: string): boolean => {
    const key = JSON.stringify([pattern, name])
    const before = known.get(key)
    if (before !== undefined) return before
    if (left <= 0) return true
    const [given, begun] = [left, now()]
    const matches = testPattern(pattern, name, given)
    left -= now() - begun
    // With less time than others have, an end without an answer says nothing.
    if (matches !== null || given === eventMs) remember(key, matches ?? true)
    return matches ?? true
  }
  return (matcher, names) => {
    if (matcher === undefined || matcher === "" || matcher === "*") return true
    if (!plainNames.test(matcher)) return names[0] !== undefined && matchesPattern(matcher, names[0])
    const wanted = matcher.split(/[|,]/).map((name) => name.trim())
    return names.some((name) => wanted.includes(name))
  }
}

function remember(key: string, matches: boolean): void {
  if (known.size >= mostKnown) known.clear()
  known.set(key, matches)
}

/** In a context of its own; null for an expression that takes too long, or is none. */
function testPattern(pattern: string, name: string, ms: number): boolean | null {
  try {
    return runInNewContext("new RegExp(pattern).test(name)", { pattern, name }, { timeout: Math.ceil(ms) }) === true
  } catch {
    return null
  }
}
