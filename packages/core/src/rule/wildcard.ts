/**
 * Does `text` match `pattern`? `*` stands for any run of characters (line breaks and `/` included), `?` for
 * exactly one; everything else is literal and case counts. A pattern that ends in ` *` also matches what
 * stands before it alone, so `git *` covers `git`.
 *
 * No regular expression and no recursion: at most `pattern.length × text.length` steps, and one pass for
 * patterns with a single `*`.
 */
export function matchWildcard(pattern: string, text: string): boolean {
  if (matchExactly(pattern, text)) return true
  return pattern.endsWith(" *") && matchExactly(pattern.slice(0, -2), text)
}

/** Greedy matching that falls back only to the newest `*`: an older one can never do better. */
function matchExactly(pattern: string, text: string): boolean {
  let p = 0
  let t = 0
  let star = -1
  let resume = 0
  while (t < text.length) {
    const wanted = pattern[p]
    if (wanted === "*") {
      star = p++
      resume = t
      if (p === pattern.length) return true
    } else if (wanted !== undefined && (wanted === "?" || wanted === text[t])) {
      p++
      t++
    } else if (star >= 0) {
      p = star + 1
      t = ++resume
    } else {
      return false
    }
  }
  while (pattern[p] === "*") p++
  return p === pattern.length
}
