/**
 * Does `text` match `pattern`? `*` stands for any run of characters (line breaks and `/` included), `?` for
 * exactly one; everything else is literal and case counts. A pattern that ends in ` *` also matches what
 * stands before it alone, so `git *` covers `git`.
 *
 * No regular expression and no recursion: at most `pattern.length × text.length` steps, and one pass for
 * patterns with a single `*`.
 */
export function matchWildcard(pattern: string, text: string): boolean {
  // Answers for most rules of a long list at once.
  if (pattern === "*" || pattern === text) return true
  const end = pattern.length
  const star = pattern.indexOf("*")
  if (star < 0) return end === text.length && matchExactly(pattern, text, end)
  if (!differsBefore(star, pattern, text) && matchExactly(pattern, text, end)) return true
  // Without another `*`, only a text of exactly that length can be what stands before the last two characters.
  if (!pattern.endsWith(" *") || (star === end - 1 && text.length !== end - 2)) return false
  return matchExactly(pattern, text, end - 2)
}

const questionMark = 63

/** Whether the text has another character just before the first `*`: that alone rules out most rules of a long list. */
function differsBefore(star: number, pattern: string, text: string): boolean {
  if (star === 0) return false
  const expected = pattern.charCodeAt(star - 1)
  return expected !== questionMark && expected !== text.charCodeAt(star - 1)
}

/**
 * Whether the pattern up to `end` matches the whole text. Greedy, and falls back only to the newest `*`: an older one
 * can never do better.
 */
function matchExactly(pattern: string, text: string, end: number): boolean {
  let p = 0
  let t = 0
  let star = -1
  let resume = 0
  while (t < text.length) {
    const expected = p < end ? pattern[p] : undefined
    if (expected === "*") {
      star = p++
      resume = t
      if (p === end) return true
    } else if (expected !== undefined && (expected === "?" || expected === text[t])) {
      p++
      t++
    } else if (star >= 0) {
      p = star + 1
      t = ++resume
    } else {
      return false
    }
  }
  while (p < end && pattern[p] === "*") p++
  return p === end
}
