/**
 * The text itself, or its beginning and end around a note about the omitted part. At most `most` UTF-16 units, unless
 * the note alone is longer. Surrogate pairs are never split.
 */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = Math.max(0, Math.floor(most) - note(text.length).length)
  // The beginning gets more space, because it tells more about a text than the end.
  const head = text.slice(0, characterStart(text, Math.ceil((kept * 2) / 3)))
  const tail = text.slice(characterEnd(text, text.length - Math.floor(kept / 3)))
  return head + note(text.length - head.length - tail.length) + tail
}

function note(units: number): string {
  return `\n[… ${units} characters are left out here: the whole is too long for the model …]\n`
}

/** The last index up to `at` that does not split a surrogate pair. */
function characterStart(text: string, at: number): number {
  return isInside(text, at) ? at - 1 : at
}

/** The first index from `at` on that does not split a surrogate pair. */
function characterEnd(text: string, at: number): number {
  return isInside(text, at) ? at + 1 : at
}

function isInside(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1))
}
