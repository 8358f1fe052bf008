import type { Hit } from "./hit.ts"
import type { View } from "./view.ts"

const begin = /-----BEGIN ?[ A-Z0-9]{0,20}PRIVATE ?KEY(?: ?BLOCK)?-----/g
const end = /-----END ?[ A-Z0-9]{0,20}PRIVATE ?KEY(?: ?BLOCK)?-----/g
/** The beginning of a key at the end of a text, as far as it goes. */
const openBegin = /-{1,5}(?:BEGIN? ?[ A-Z0-9]{0,40}-{0,5}|BE?G?)?$/
/** A line within a key that has no end: base64 or a header, behind what lists and diffs put before it. */
const keyLine = /^[ \t]*(?:[+\-|>]|\d{1,6}[:|→\t])?[ \t]*(?:[A-Za-z0-9+/=\\]*|[A-Za-z-]{4,20}: .*)[ \t]*\r?$/
/** Longest key, with all that may stand between its lines (UTF-16 units). */
export const longestPrivateKey = 16_000
/** Shorter ones are words about keys. */
const fewestKeyCharacters = 48

/** Private keys in PEM, whole or without their end, also where lines begin with other things. */
export function findPrivateKeys(view: View): Hit[] {
  const { text } = view
  const hits: Hit[] = []
  let behind = 0
  for (const { index, 0: head } of text.matchAll(begin)) {
    if (index < behind) continue
    const stop = keyEnd(text, index + head.length)
    if (stop === null) continue
    behind = stop
    const secret = text.slice(index, stop).replace(/[^A-Za-z0-9+/=]/g, "")
    hits.push({ rule: "private-key", label: "private key", start: view.from(index), end: view.to(stop), secret })
  }
  return hits
}

/** Where a private key begins that has no end yet; the length of the text when there is none. */
export function openPrivateKey(text: string): number {
  for (const { index } of text.matchAll(begin)) {
    end.lastIndex = index
    if (!end.test(text) && text.length - index < longestPrivateKey) return index
  }
  return text.length
}

/** Where the end of a text may be the beginning of a key's first line; its length when nowhere. */
export function openPrivateKeyHead(text: string): number {
  const tail = Math.max(0, text.length - 80)
  const match = openBegin.exec(text.slice(tail))
  return match === null ? text.length : tail + match.index
}

function keyEnd(text: string, from: number): number | null {
  end.lastIndex = from
  const closing = end.exec(text)
  const next = text.indexOf("-----BEGIN", from)
  if (closing !== null && closing.index - from < longestPrivateKey && (next < 0 || next > closing.index)) {
    const inside = text.slice(from, closing.index)
    return keyCharacters(inside) >= fewestKeyCharacters ? closing.index + closing[0].length : null
  }
  return endOfLines(text, from)
}

function endOfLines(text: string, from: number): number | null {
  let stop = text.indexOf("\n", from)
  // One line holds it all.
  if (stop < 0) return keyCharacters(text.slice(from)) >= fewestKeyCharacters ? text.length : null
  while (stop < text.length && stop - from < longestPrivateKey) {
    const next = text.indexOf("\n", stop + 1)
    const lineEnd = next < 0 ? text.length : next
    if (!keyLine.test(text.slice(stop + 1, lineEnd))) break
    stop = lineEnd
  }
  return keyCharacters(text.slice(from, stop)) >= fewestKeyCharacters ? stop : null
}

function keyCharacters(text: string): number {
  return text.replace(/[^A-Za-z0-9+/=]/g, "").length
}
