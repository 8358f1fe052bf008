const closing = /\r?\n[ \t]{0,8}(?:```|~~~)[ \t]{0,8}\s{0,4}$/
const opening = /^\s{0,4}(?:```|~~~)[\w-]{0,20}[ \t]{0,8}\r?\n/
/** More than the longest fence (UTF-16 units). */
const reach = 50

/** Where the text ends but for the fence that closes its last block of code. */
export function endBeforeFence(text: string): number {
  const from = Math.max(0, text.length - reach)
  const match = closing.exec(text.slice(from))
  return match === null ? text.length : from + match.index
}

/** Where the text begins but for the fence that opens its first block of code. */
export function startBehindFence(text: string): number {
  return opening.exec(text.slice(0, reach))?.[0].length ?? 0
}
