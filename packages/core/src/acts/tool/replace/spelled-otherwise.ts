import type { LineKey } from "./match-lines.ts"

/** Another way to read what the model sent: both texts without something that it added to them. */
export type Respelling = (text: string) => string

const escaped: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
])

/** `\n`, `\t`, `\r` and any escaped punctuation, as in a string of a program. */
export const unescaped: Respelling = (text) =>
  text.replace(/\\([ntr"'`\\$/{}<>]|\n)/g, (_, character: string) => escaped.get(character) ?? character)

/** Quotes alone: where only they are escaped, a line break of a string stays escaped. */
const unescapedQuotes: Respelling = (text) => text.replace(/\\(["'`])/g, "$1")

const entities: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
  ["#39", "'"],
  ["#x27", "'"],
  ["nbsp", " "],
])

/** `&lt;` and the other entities that models write in place of punctuation. */
const withoutEntities: Respelling = (text) =>
  text.replace(/&(lt|gt|amp|quot|apos|#39|#x27|nbsp);/g, (whole, name: string) => entities.get(name) ?? whole)

/** "12: text", "12| text", or the number before a tab or an arrow. */
const lineNumber = /^[ \t]*(\d+)(?:: ?|\| ?|\t|→)/

/** Without the line numbers of a read output. The numbers of lines that are not blank must rise. */
const withoutLineNumbers: Respelling = (text) => {
  const lines = text.split("\n")
  let before = -1
  for (const line of lines) {
    if (line.trim() === "") continue
    const number = Number(lineNumber.exec(line)?.[1] ?? -1)
    if (number <= before) return text
    before = number
  }
  return withoutNumbers(text)
}

function withoutNumbers(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(lineNumber, ""))
    .join("\n")
}

/** Without a Markdown fence around the whole text. */
const withoutFence: Respelling = (text) => {
  const lines = text.trim().split("\n")
  const fenced = lines.length > 2 && /^```[\w+-]*$/.test(lines[0] ?? "") && lines.at(-1) === "```"
  return fenced ? lines.slice(1, -1).join("\n") : text
}

/** How both texts of an edit are read otherwise; the new one by itself where its lines tell less than the old ones. */
interface PieceRespelling {
  old: Respelling
  put: Respelling
}

const alike = (respell: Respelling): PieceRespelling => ({ old: respell, put: respell })

/** In the order in which they are tried. */
export const respellings: readonly PieceRespelling[] = [
  alike(unescapedQuotes),
  alike(unescaped),
  alike(withoutEntities),
  // New lines among numbered ones have no number, or any.
  { old: withoutLineNumbers, put: withoutNumbers },
  alike(withoutFence),
]

const plain: ReadonlyMap<string, string> = new Map([
  ...[..."‘’‚‛′"].map((quote) => [quote, "'"] as const),
  ...[..."“”„‟″"].map((quote) => [quote, '"'] as const),
  ...[..."‐‑‒–—―−"].map((dash) => [dash, "-"] as const),
  ...[..."\u00A0\u2002\u2003\u2007\u2009\u200A\u202F\u3000"].map((space) => [space, " "] as const),
  ["…", "..."],
  ["\u200B", ""],
  ["\uFEFF", ""],
])

/** Typographic quotes, dashes, spaces and dots as ASCII. */
export function asAscii(text: string): string {
  return text.replace(
    /[\u2018-\u201B\u2032\u201C-\u201F\u2033\u2010-\u2015\u2212\u00A0\u2002\u2003\u2007\u2009\u200A\u200B\u202F\u3000\u2026\uFEFF]/g,
    (character) => plain.get(character) ?? character,
  )
}

/** Lines are equal if they are so without escapes, with ASCII punctuation and composed letters. */
export const spelledKey: LineKey = (line) =>
  /[\\\u0080-\uFFFF]/.test(line) ? unescaped(asAscii(line.normalize("NFC"))).trim() : line.trim()

const trimmedEnd: Respelling = (text) => text.trimEnd()

/**
 * What the model spells otherwise than the file in all lines that differ, so that it does so in new lines as well.
 * @param pairs lines without white space at their beginning: what the model wrote, and what the file has
 */
export function learnSpelling(pairs: readonly (readonly [model: string, file: string])[]): Respelling {
  const differing = pairs.filter(([model, file]) => model !== file)
  const learned = [trimmedEnd, asAscii, unescapedQuotes, withoutEntities].filter(
    (respell) =>
      differing.length > 0 &&
      pairs.every(([model, file]) => respell(file) === file || respell(model) !== model) &&
      differing.every(([model, file]) => respell(model) === file),
  )
  return (text) => learned.reduce((spelled, respell) => respell(spelled), text)
}
