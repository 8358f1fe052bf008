import { type Cut, cutView, plainView, type View } from "./view.ts"

const { raw } = String
/** Characters without width, which tell only how others are drawn. */
const invisible = raw`[\p{Cf}\u034f\ufe00-\ufe0f]`
/** Terminal codes (ECMA-48): of colours, of titles and links, and single ones. */
const terminal = raw`(?:\u001b\[|\u009b)[0-?]*[ -\/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[@-Z^_]`
/** Escapes of JSON and JavaScript, of any depth: `\\u0041`. */
const escapes = raw`\\{1,32}(?:u([0-9a-fA-F]{4})|u\{0*([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{2})|([nrtbf"'\/0]))`
/** Of URLs, `%41` and `%2541`, and of HTML, `&#65;`. */
const encoded = raw`%(?:25){0,8}([0-9a-fA-F]{2})|&#(\d{1,7});|&#[xX]([0-9a-fA-F]{1,6});`

/** What may stand between the characters of a secret, or for one of them. */
const coding = new RegExp(`${terminal}|${invisible}+|${escapes}|${encoded}`, "gu")
/** Whether a text may hold any of it. */
const hasCoding = new RegExp(raw`[\\%&\u001b\u009b]|${invisible}`, "u")
/** One that has begun at the end of a text and may go on. */
const openCoding = new RegExp(
  `(?:${[
    raw`(?:\u001b\[|\u009b)[0-?]*[ -\/]*`,
    raw`\u001b(?:\][^\u0007\u001b]*)?`,
    raw`\\+(?:u\{?[0-9a-fA-F]{0,6}|x[0-9a-fA-F]?)?`,
    raw`%(?:25)*[0-9a-fA-F]?`,
    raw`&#?[xX]?[0-9a-fA-F]{0,7}`,
  ].join("|")})$`,
  "u",
)

const letters: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: " ", f: "\n", "0": " " }

/** The text without codings: what a reader or a program takes it for. */
export function flatten(text: string): View {
  const source = plainView(text)
  if (!hasCoding.test(text)) return source
  const cuts: Cut[] = []
  for (const match of text.matchAll(coding))
    cuts.push({ start: match.index, end: match.index + match[0].length, text: decoded(match) })
  return cutView(source, cuts)
}

/** Where an unfinished coding at the end of the text begins; its length when there is none. */
export function openCodingAt(text: string): number {
  const tail = Math.max(0, text.length - 40)
  const match = openCoding.exec(text.slice(tail))
  return match === null ? text.length : tail + match.index
}

function decoded([, unicode, braced, hex, letter, url, decimal, html]: RegExpExecArray): string {
  if (letter !== undefined) return letters[letter] ?? letter
  const code = unicode ?? braced ?? hex ?? url ?? html
  if (code !== undefined) return character(Number.parseInt(code, 16))
  return decimal === undefined ? "" : character(Number(decimal))
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : " "
}
