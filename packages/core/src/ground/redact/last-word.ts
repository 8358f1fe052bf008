/** Of a word that does not end, as in base64, only so much is looked at (UTF-16 units). */
const longestWord = 400

/** Where the last word of a text begins; its length when it ends with a space. */
export function lastWordAt(text: string): number {
  let start = text.length
  while (start > 0 && text.length - start < longestWord && !/\s/.test(text[start - 1] ?? "")) start -= 1
  return start
}
