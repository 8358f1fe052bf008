import { runInNewContext } from "node:vm"

/** Letters, digits, `_`, `-`, and names with `|` or commas between them. */
const plainNames = /^[\w\-,| ]*$/
/** ms; a pattern that takes longer is given up. */
const patternMs = 1_000
/** Answers that are remembered: the same few patterns and names come again and again. */
const mostKnown = 2_000

const known = new Map<string, boolean>()

/**
 * Whether a hook is for this: no matcher, or `*`, is for all; names are compared as a whole; anything else is a regular
 * expression that may match anywhere.
 * @param names the first one is what patterns are compared with; the others are names for the same
 */
export function matchesName(matcher: string | undefined, names: readonly string[]): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return true
  if (!plainNames.test(matcher)) return names[0] !== undefined && matchesPattern(matcher, names[0])
  const wanted = matcher.split(/[|,]/).map((name) => name.trim())
  return names.some((name) => wanted.includes(name))
}

function matchesPattern(pattern: string, name: string): boolean {
  const key = JSON.stringify([pattern, name])
  const answer = known.get(key) ?? testPattern(pattern, name)
  if (known.size >= mostKnown) known.clear()
  known.set(key, answer)
  return answer
}

/**
 * In a context of its own, where an expression that takes too long is given up. Then, and where it is no expression, the
 * hook runs: a guard looks once too often rather than never.
 */
function testPattern(pattern: string, name: string): boolean {
  try {
    return runInNewContext("new RegExp(pattern).test(name)", { pattern, name }, { timeout: patternMs }) === true
  } catch {
    return true
  }
}
