/** What a text has in the place of a piece that was left out of it. */
export interface CutMark {
  /** Where what stands before it ends. */
  start: number
  /** Where what stands behind it begins. */
  end: number
  /** Whether that may be the rest of what was cut: three dots and a count of characters end a text or a list. */
  hasRest: boolean
}

/**
 * An ellipsis, or a note with one in brackets or lines of its own, as Docket and many programs put it; and the line that
 * says how many characters are not there.
 */
const mark = new RegExp(
  [
    String.raw`\s{0,3}\[…[^\n\]]{0,1000}\]\s{0,3}`,
    String.raw`\s{0,3}… \d{1,15} bytes of [^\n]{0,1000} …\s{0,3}`,
    String.raw`\s{0,3}\(\d{1,15} more characters were left out\.`,
    String.raw`\s?(?:…|\.{3})`,
  ].join("|"),
  "g",
)
const hasMark = /…|\.{3}|more characters were left out/

/** Where the text is not whole, in order. */
export function cutMarks(text: string): CutMark[] {
  if (!hasMark.test(text)) return []
  return Array.from(text.matchAll(mark), ({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
    hasRest: found.includes("…"),
  }))
}

/** What a text that begins within a word has of it, as far as a secret could reach. */
const longest = 400
const between = /(?:\w?["'`]?[:=])?[\s"'`]{0,2}/y
const brokenWord = new RegExp(String.raw`[^\s"'\`<>(){}[\],;…]{1,${longest}}`, "y")
/** Fewer characters of a secret open nothing. */
const fewest = 6

/** Where the broken word before a mark begins; its end when it is too short for the beginning of a secret. */
export function brokenWordAt(text: string, until: number): number {
  let start = until
  while (start > 0 && until - start < longest && !/[\s"'`<>(){}[\],;…]/.test(text[start - 1] ?? "")) start -= 1
  return until - start < fewest ? until : start
}

/** The broken word behind a mark; null when it is too short for the rest of a secret. Of a name, its end may be there. */
export function brokenWordBehind(text: string, mark: number): { start: number; end: number } | null {
  between.lastIndex = mark
  const start = mark + (between.exec(text)?.[0].length ?? 0)
  brokenWord.lastIndex = start
  const length = brokenWord.exec(text)?.[0].length ?? 0
  return length < fewest ? null : { start, end: start + length }
}
