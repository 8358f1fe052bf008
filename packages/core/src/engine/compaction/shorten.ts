/**
 * The text, or its head and tail around a note of what was left out: at most `most` UTF-16 units, or the note alone
 * where even that is longer. A character of two units is never split.
 */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = Math.max(0, Math.floor(most) - note(text.length).length)
  // The beginning says more about what a text is than its end.
  const head = text.slice(0, characterStart(text, Math.ceil((kept * 2) / 3)))
  const tail = text.slice(characterEnd(text, text.length - Math.floor(kept / 3)))
  return head + note(text.length - head.length - tail.length) + tail
}

function note(units: number): string {
  return `\n[… ${units} characters are left out here: the whole is too long for the model …]\n`
}

/** The last place up to `at` that is not inside a character. */
function characterStart(text: string, at: number): number {
  return isInside(text, at) ? at - 1 : at
}

/** The first place from `at` on that is not inside a character. */
function characterEnd(text: string, at: number): number {
  return isInside(text, at) ? at + 1 : at
}

function isInside(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1))
}
