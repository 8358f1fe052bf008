import { type Cut, type DecodedText, undecoded, withCuts } from "./decoded-text.ts"

const { raw } = String
/** Characters without width, which tell only how others are drawn. */
const invisible = raw`[\p{Cf}\u034f\ufe00-\ufe0f]`
/** Terminal codes (ECMA-48): of colours, of titles and links, and single ones. */
const terminal = raw`(?:\u001b\[|\u009b)[0-?]*[ -\/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[@-Z^_]`
/** Escapes of JSON and JavaScript, of any depth: `\\u0041`. */
const escapes = raw`\\{1,32}(?:u([0-9a-fA-F]{4})|u\{0*([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{2})|([nrtbf"'\/0]))`
/** Of HTML, `&#65;` and `&amp;`, also of any depth: `&amp;amp;`. */
const html = raw`&(?:amp;){0,8}(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos|nbsp));`
/** White space of other widths, and the colon that goes with it. */
const wide = raw`\u00a0\u2000-\u200a\u202f\u205f\u3000\uff1a`
/** Of URLs: a byte, `%41` or `%2541`, and the bytes that are one character in UTF-8. */
const byte = (first: string, second: string) => `%(?:25){0,8}${first}${second}`
const next = byte("[89abAB]", "[0-9a-fA-F]")
const characters = [
  `${byte("[cdCD]", "[0-9a-fA-F]")}${next}`,
  `${byte("[eE]", "[0-9a-fA-F]")}(?:${next}){2}`,
  `${byte("[fF]", "[0-4]")}(?:${next}){3}`,
].join("|")
const percent = `(${characters})|${byte("([0-9a-fA-F]{2})", "")}`

/** What may stand between the characters of a secret, or for one of them. */
const codingInURL = `${terminal}|${invisible}+|${escapes}|${html}|([${wide}])`
const coding = new RegExp(`${codingInURL}|${percent}`, "gu")
const codingButPercent = new RegExp(codingInURL, "gu")
/** Whether a text may hold any of it. */
const hasCoding = new RegExp(raw`[\\%&\u001b\u009b${wide}]|${invisible}`, "u")
/** One that has begun at the end of a text and may go on. */
const openCoding = new RegExp(
  `(?:${[
    raw`(?:\u001b\[|\u009b)[0-?]*[ -\/]*`,
    raw`\u001b(?:\][^\u0007\u001b]*)?`,
    raw`\\+(?:u\{?[0-9a-fA-F]{0,6}|x[0-9a-fA-F]?)?`,
    raw`%(?:25)*[0-9a-fA-F]?`,
    raw`&(?:amp;){0,8}(?:[a-z]{0,4}|#[xX]?[0-9a-fA-F]{0,7})`,
  ].join("|")})$`,
  "u",
)

const letters: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: " ", f: "\n", "0": " " }

/** Hosts of webhooks, which programs read in either case. */
const webhookHost = /(?:hooks\.|outlook\.|\.webhook\.|)(?:discord(?:app)?|slack(?:-gov)?|office(?:365)?)\.com(?=\/)/gi

/** Whether one of them may stand there in capitals; each is looked for by its end, which few words have. */
const hasOtherHost =
  /\.[cC][oO][mM](?=\/)(?<=(?:[dD][iI][sS][cC][oO][rR][dD]|[aA][pP][pP]|[sS][lL][aA][cC][kK]|[gG][oO][vV]|[oO][fF][fF][iI][cC][eE]|365)....)(?<=[A-Z].{0,20})/

/** The text without codings: what a reader or a program takes it for. */
export function flatten(text: string): DecodedText {
  return flattenBy(coding, text)
}

/** The same with what is encoded for URLs left so: there `%2F` and `%40` are parts of a password, `/` and `@` end it. */
export function flattenButPercent(text: string): DecodedText {
  return flattenBy(codingButPercent, text)
}

function flattenBy(pattern: RegExp, text: string): DecodedText {
  if (!hasCoding.test(text)) return withPlainHosts(undecoded(text))
  const cuts: Cut[] = []
  for (const match of text.matchAll(pattern))
    cuts.push({ start: match.index, end: match.index + match[0].length, text: decoded(match) })
  return withPlainHosts(withCuts(undecoded(text), cuts))
}

function withPlainHosts(view: DecodedText): DecodedText {
  if (!hasOtherHost.test(view.text)) return view
  return { ...view, text: view.text.replace(webhookHost, (host) => host.toLowerCase()) }
}

/** Where an unfinished coding at the end of the text begins; its length when there is none. */
export function openCodingAt(text: string): number {
  const tail = Math.max(0, text.length - 40)
  const match = openCoding.exec(text.slice(tail))
  return match === null ? text.length : tail + match.index
}

const signs: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " }

function decoded(match: RegExpExecArray): string {
  const [, unicode, braced, hex, letter, decimal, html, sign, blank, bytes, url] = match
  if (letter !== undefined) return letters[letter] ?? letter
  if (sign !== undefined) return signs[sign] ?? ""
  if (blank !== undefined) return blank === "\uff1a" ? ":" : " "
  if (bytes !== undefined) return Buffer.from(bytes.replace(/%(?:25)*/g, ""), "hex").toString("utf8")
  const code = unicode ?? braced ?? hex ?? url ?? html
  if (code !== undefined) return character(Number.parseInt(code, 16))
  return decimal === undefined ? "" : character(Number(decimal))
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : " "
}
