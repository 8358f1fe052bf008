import { findText } from "./find-sequence.ts"
import type { Region } from "./searched-text.ts"

/** A text without some of its white space; `from` holds for each of its characters the place in the original. */
interface Squeezed {
  text: string
  from: Int32Array
}

/** Which white space between two characters counts as a space; the rest does not count at all. */
type Counts = (before: number, after: number) => boolean

const always: Counts = () => true
const betweenWords: Counts = (before, after) => isWord(before) && isWord(after)

/**
 * Where a piece occurs when every run of white space counts as one space; if nowhere, where it occurs when white space
 * beside punctuation does not count at all. Never within a word.
 */
export function* findSpaced(text: string, piece: string): Generator<Region> {
  let found = false
  for (const counts of [always, betweenWords]) {
    for (const region of findSqueezed(text, piece, counts)) {
      found = true
      yield region
    }
    if (found) return
  }
}

function* findSqueezed(text: string, piece: string, counts: Counts): Generator<Region> {
  const wanted = squeeze(piece.trim(), counts).text
  const all = squeeze(text, counts)
  for (const at of findText(all.text, wanted)) {
    const start = all.from[at] ?? 0
    const end = (all.from[at + wanted.length - 1] ?? 0) + 1
    if (isWholeWords(text, { start, end })) yield { start, end }
  }
}

function squeeze(text: string, counts: Counts): Squeezed {
  const kept = new Uint16Array(text.length)
  const from = new Int32Array(text.length)
  let length = 0
  /** Where the white space before the next word begins; -1 within a word, and at the beginning of the text. */
  let gap = -1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isSpace(code)) {
      if (gap < 0 && length > 0) gap = at
      continue
    }
    if (gap >= 0 && counts(text.charCodeAt(gap - 1), code)) {
      kept[length] = 32
      from[length++] = gap
    }
    gap = -1
    kept[length] = code
    from[length++] = at
  }
  return { text: new TextDecoder("utf-16le").decode(kept.subarray(0, length)), from }
}

/** The region does not begin or end in the middle of a word. */
export function isWholeWords(text: string, { start, end }: Region): boolean {
  const cuts = (at: number) => isWord(text.charCodeAt(at - 1)) && isWord(text.charCodeAt(at))
  return !cuts(start) && !cuts(end)
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 160 || code === 0x202f || code === 0x3000
}

/** Whether a character can stand in a word of a program. What is not ASCII counts as a letter. */
function isWord(code: number): boolean {
  const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
  return isLetter || (code >= 48 && code <= 57) || code === 95 || code === 36 || (code > 127 && !isSpace(code))
}
