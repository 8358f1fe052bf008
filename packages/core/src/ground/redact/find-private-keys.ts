import type { DecodedText } from "./decoded-text.ts"
import type { Hit } from "./hit.ts"

const begin = /-----BEGIN ?[ A-Z0-9]{0,20}PRIVATE ?KEY(?: ?BLOCK)?-----/g
const end = /-----END ?[ A-Z0-9]{0,20}PRIVATE ?KEY(?: ?BLOCK)?-----/g
/** The beginning of a key at the end of a text, as far as it goes. */
const openBegin = /-{1,5}(?:BEGIN? ?[ A-Z0-9]{0,40}-{0,5}|BE?G?)?$/
/** A line of a key without an end: base64, cut or not, or a header, after the marks of lists and diffs. */
const keyLine =
  /^[ \t]*(?:[+\-|>]|\d{1,6}[:|→\t])?[ \t]*(?:[A-Za-z0-9+/=\\]*(?:…|\.{3})?|[A-Za-z-]{4,20}: .*)[ \t]*\r?$/
/** The lines of a key joined in one: each piece is longer than words, except a last piece that is cut. */
const keyPieces = /^(?:\s?[A-Za-z0-9+/=]{16,})*(?:\s?[A-Za-z0-9+/=]+(?=…|\.{3}|$))?/
/** A line of a key whose first lines are missing: nothing else consists of so much base64 only. */
const lateKeyLine = /^[ \t]*(?:[+\-|>]|\d{1,6}[:|→\t])?[ \t]*[A-Za-z0-9+/=]{16,}[ \t]*\r?$/
/** Longest key, with everything that may stand between its lines (UTF-16 units). */
const longestPrivateKey = 16_000
/** Fewest characters of a key: a text with fewer only mentions keys. */
const fewestKeyCharacters = 48
/** Fewest characters of base64 in a row: fewer may be a word. */
const shortestLine = 16

/** Finds private keys in PEM, whole or without their end, also when the marks of a list or diff begin their lines. */
export function findPrivateKeys(view: DecodedText): Hit[] {
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
  hits.push(...findKeyEnds(view))
  return hits
}

/** Finds private keys of which only the end is there. */
function findKeyEnds({ text, from, to }: DecodedText): Hit[] {
  const hits: Hit[] = []
  let behind = 0
  // Other functions leave `lastIndex` of this shared expression anywhere.
  end.lastIndex = 0
  for (const { index, 0: foot } of text.matchAll(end)) {
    const stop = index + foot.length
    const start = Math.min(lateLinesAt(text, behind, index), latePiecesAt(text, behind, index))
    behind = stop
    if (keyCharacters(text.slice(start, index)) < shortestLine) continue
    const secret = text.slice(start, stop).replace(/[^A-Za-z0-9+/=]/g, "")
    hits.push({ rule: "private-key", label: "private key", start: from(start), end: to(stop), secret })
  }
  return hits
}

/** The position where the lines of a key begin that end before `until`. */
function lateLinesAt(text: string, behind: number, until: number): number {
  let start = lastBefore(text, "\n", until) + 1
  if (/[A-Za-z0-9]{3}/.test(text.slice(start, until))) return until
  for (let isLast = true; start > behind && until - start < longestPrivateKey; isLast = false) {
    const line = lastBefore(text, "\n", start - 1) + 1
    const content = text.slice(line, start - 1)
    // The last line may be short.
    if (line < behind || !(isLast ? keyLine : lateKeyLine).test(content)) break
    start = line
  }
  return start
}

/** The position where a key begins that ends before `until` and has all its lines in one. */
function latePiecesAt(text: string, behind: number, until: number): number {
  let start = until
  for (let at = until, isLast = true; at > behind && until - at < longestPrivateKey; isLast = false) {
    if (text[at - 1] === " ") at -= 1
    const piece = Math.max(behind, lastBefore(text, " ", at) + 1)
    const content = text.slice(piece, at)
    const isLong = content.length >= shortestLine
    const isPiece = (isLong || isLast) && /^[A-Za-z0-9+/=]+$/.test(content)
    if (!isPiece) break
    at = piece
    if (isLong) start = piece
  }
  return start
}

/** No line of a key is longer (UTF-16 units). */
const longestLine = 1_000

/** Where the character stands last before `until`; where a line that is too long begins when it does not. */
function lastBefore(text: string, character: string, until: number): number {
  const from = Math.max(0, until - longestLine)
  return from + text.slice(from, Math.max(from, until)).lastIndexOf(character)
}

/** The position where a private key without an end begins; the length of the text when there is none. */
export function openPrivateKey(text: string): number {
  for (const { index } of text.matchAll(begin)) {
    end.lastIndex = index
    if (!end.test(text) && text.length - index < longestPrivateKey) return index
  }
  return text.length
}

/** The position where the text may end with the beginning of a key's first line; its length when it does not. */
export function openPrivateKeyHead(text: string): number {
  const tail = Math.max(0, text.length - 80)
  const match = openBegin.exec(text.slice(tail))
  return match === null ? text.length : tail + match.index
}

function keyEnd(text: string, from: number): number | null {
  const next = text.indexOf("-----BEGIN", from)
  const inside = text.slice(from, Math.min(next < 0 ? text.length : next, from + longestPrivateKey))
  end.lastIndex = 0
  const closing = end.exec(inside)
  if (closing === null) return endOfLines(inside, from)
  return keyCharacters(inside.slice(0, closing.index)) >= fewestKeyCharacters
    ? from + closing.index + closing[0].length
    : null
}

/** The end of a key without its last line: after the last line, or the last piece of one line, that only keys have. */
function endOfLines(inside: string, from: number): number | null {
  let stop = inside.indexOf("\n")
  if (stop < 0) stop = keyPieces.exec(inside)?.[0].length ?? 0
  else
    while (stop < inside.length) {
      const next = inside.indexOf("\n", stop + 1)
      const lineEnd = next < 0 ? inside.length : next
      if (!keyLine.test(inside.slice(stop + 1, lineEnd))) break
      stop = lineEnd
    }
  return keyCharacters(inside.slice(0, stop)) >= fewestKeyCharacters ? from + stop : null
}

function keyCharacters(text: string): number {
  return text.replace(/[^A-Za-z0-9+/=]/g, "").length
}
