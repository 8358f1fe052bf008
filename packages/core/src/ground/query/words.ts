/** A word of a text as a search compares it, and its position (UTF-16 units). */
export interface Word {
  text: string
  start: number
  end: number
  /** The whole of a name in which several words were found: `parsequery` of `parseQuery`. */
  isJoined: boolean
}

/**
 * Scripts that set no spaces between words are taken a character at a time, so that any run of them is found. In all
 * other scripts, a word is a run of letters, marks and digits: `foo_bar` and `src/main.ts` are several.
 */
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]+/gv
/** Between the words of `parseQuery` and of `HTTPServer`. */
const humps = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
const hasHump = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u
const isPlain = /^[a-z0-9]*$/

/** Longer words are cut to this many characters, because databases limit the length of a key. */
const maxLength = 64

/** The words of a text in their order; the whole of a name comes after its words. */
export function* wordsIn(text: string): Generator<Word> {
  for (const { 0: run, index } of text.matchAll(runs)) {
    const pieces = run.length <= maxLength && hasHump.test(run) ? run.split(humps) : [run]
    let start = index
    for (const piece of pieces) {
      const word = folded(piece)
      if (word !== "") yield { text: word, start, end: start + piece.length, isJoined: false }
      start += piece.length
    }
    if (pieces.length > 1) yield { text: folded(run), start: index, end: start, isJoined: true }
  }
}

/** Without case, accents and forms of one letter (full width, ligatures). */
function folded(piece: string): string {
  const lower = piece.slice(0, maxLength).toLowerCase()
  if (isPlain.test(lower)) return lower
  const bare = lower.normalize("NFKD").replace(/[\u0300-\u036f]|[^\p{L}\p{N}\p{M}]/gu, "")
  return bare.normalize("NFC").toLowerCase().slice(0, maxLength).toWellFormed()
}

/** Separates the words of a text from its joined names. It is never a word itself. */
const gap = "·"

/**
 * A text as a search looks at it: its words, then the whole names, with a space around each. A phrase is in it when its
 * words stand there in a row.
 */
export function wordLine(text: string): string {
  const words: string[] = []
  const names: string[] = []
  for (const word of wordsIn(text)) (word.isJoined ? names : words).push(word.text)
  return ` ${words.join(" ")} ${names.length === 0 ? "" : `${gap} ${[...new Set(names)].join(" ")} `}`
}
