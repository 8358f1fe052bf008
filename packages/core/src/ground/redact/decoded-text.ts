/** A piece of a source, and the text that replaces it in the view. */
interface Cut {
  start: number
  end: number
  text: string
}

/** A view of a source text in which pieces are removed or decoded, with the positions in the source. */
export interface DecodedText {
  text: string
  /** The position in the source where the unit at `index` begins. */
  from(index: number): number
  /** The position in the source where the units before `index` end. */
  to(index: number): number
  /** The positions in the view where something of the source was removed or decoded, in order. */
  seams: readonly number[]
}

export function undecoded(text: string): DecodedText {
  return { text, from: (index) => index, to: (index) => index, seams: [] }
}

/** The source with these pieces replaced. They are in order and do not overlap. */
function withCuts(source: DecodedText, cuts: readonly Cut[]): DecodedText {
  if (cuts.length === 0) return source
  const pieces: string[] = []
  // Of each cut: where it stands in the view, how long it is there, and where it ends in the source.
  const seams: number[] = []
  const lengths: number[] = []
  const ends: number[] = []
  const starts: number[] = []
  let at = 0
  let length = 0
  for (const { start, end, text } of cuts) {
    pieces.push(source.text.slice(at, start), text)
    length += start - at
    seams.push(length)
    lengths.push(text.length)
    starts.push(start)
    ends.push(end)
    length += text.length
    at = end
  }
  pieces.push(source.text.slice(at))
  const place = (index: number, isEnd: boolean): number => {
    const nth = lastAtMost(seams, isEnd ? index - 1 : index)
    if (nth < 0) return index
    const within = index - valueAt(seams, nth)
    if (within >= valueAt(lengths, nth)) return valueAt(ends, nth) + within - valueAt(lengths, nth)
    return valueAt(isEnd ? ends : starts, nth)
  }
  return {
    text: pieces.join(""),
    from: (index) => source.from(place(index, false)),
    to: (index) => (index === 0 ? 0 : source.to(place(index, true))),
    seams,
  }
}

/** Where lines were joined between two places. */
export function seamsWithin({ seams }: DecodedText, start: number, end: number): readonly number[] {
  // Lines of which nothing is left in the view share one place.
  return [...new Set(seams.slice(lastAtMost(seams, start) + 1, lastAtMost(seams, end - 1) + 1))]
}

/** The index of the last of the rising `values` that is at most `limit`; -1 when there is none. */
export function lastAtMost(values: readonly number[], limit: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (valueAt(values, middle) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The value at an index that is known to be in the list. */
function valueAt(values: readonly number[], index: number): number {
  return values[index] ?? 0
}

const { raw } = String
/** Characters without width, which only change how others are drawn. */
const invisible = raw`[\p{Cf}\u034f\ufe00-\ufe0f]`
/** Terminal codes (ECMA-48): of colours, of titles and links, and single ones. */
const terminal = raw`(?:\u001b\[|\u009b)[0-?]*[ -\/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[@-Z^_]`
/** Escapes of JSON and JavaScript, of any depth: `\\u0041`. */
const escapes = raw`\\{1,32}(?:u([0-9a-fA-F]{4})|u\{0*([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{2})|([nrtbf"'\/0]))`
/** Escapes of HTML, `&#65;` and `&amp;`, also of any depth: `&amp;amp;`. */
const html = raw`&(?:amp;){0,8}(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos|nbsp));`
/** White space of other widths, and the colon that goes with it. */
const wide = raw`\u00a0\u2000-\u200a\u202f\u205f\u3000\uff1a`
/** Escapes of URLs: a byte, `%41` or `%2541`, and the bytes that are one character in UTF-8. */
const byte = (first: string, second: string) => `%(?:25){0,8}${first}${second}`
const nextByte = byte("[89abAB]", "[0-9a-fA-F]")
const characters = [
  `${byte("[cdCD]", "[0-9a-fA-F]")}${nextByte}`,
  `${byte("[eE]", "[0-9a-fA-F]")}(?:${nextByte}){2}`,
  `${byte("[fF]", "[0-4]")}(?:${nextByte}){3}`,
].join("|")
const percent = `(${characters})|${byte("([0-9a-fA-F]{2})", "")}`

/** Codings that may stand between the characters of a secret, or stand for one of them. */
const codingInURL = `${terminal}|${invisible}+|${escapes}|${html}|([${wide}])`
const coding = new RegExp(`${codingInURL}|${percent}`, "gu")
const codingButPercent = new RegExp(codingInURL, "gu")
/** Whether a text may contain a coding. */
const hasCoding = new RegExp(raw`[\\%&\u001b\u009b${wide}]|${invisible}`, "u")
/** A coding that has begun at the end of a text and may go on. */
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

/** Whether a text may contain such a host in capitals. Only its end is looked for, because few words have that end. */
const hasOtherHost =
  /\.[cC][oO][mM](?=\/)(?<=(?:[dD][iI][sS][cC][oO][rR][dD]|[aA][pP][pP]|[sS][lL][aA][cC][kK]|[gG][oO][vV]|[oO][fF][fF][iI][cC][eE]|365)....)(?<=[A-Z].{0,20})/

/** The text without codings: as a reader or a program understands it. */
export function flatten(text: string): DecodedText {
  return flattenBy(coding, text)
}

/** `flatten`, but URL encodings stay: in a URL, `%2F` and `%40` are part of a password, but `/` and `@` end it. */
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

/**
 * A line break with the white space behind it. `cutsOf` looks backwards for the white space before it, because a
 * pattern would look ahead from every space.
 */
const wrap = /(?:\r?\n|\r)\s*/g
/** `wrap`, followed by the mark with which a line begins in a diff, quote, numbered listing or frame. */
const prefixedWrap = /(?:\r?\n|\r)(?:\s*@@[^\n]*@@[^\n]*(?:\r?\n|$))?[ \t]*(?:[+\-|>│┃#*]|\d{1,6}[:|→\t])?\s*/g
const hasPrefix = /(?:\r|\n)[ \t]*(?:[+\-|>│┃#*@]|\d{1,6}[:|→\t])/
const added = /^\+/m
const removed = /^-(?!--)/m

/**
 * The view with its lines joined, in every way in which one secret may be spread over several: plainly, without the
 * beginnings of lines, and each side of a diff by itself.
 */
export function unwrap(flat: DecodedText): DecodedText[] {
  // Without line breaks nothing is joined: what was decoded in the line is no seam between lines.
  if (!/[\r\n]/.test(flat.text)) return [{ ...flat, seams: [] }]
  const views = [withCuts(flat, cutsOf(flat.text, wrap))]
  if (!hasPrefix.test(flat.text)) return views
  views.push(withCuts(flat, cutsOf(flat.text, prefixedWrap)))
  if (added.test(flat.text) && removed.test(flat.text)) for (const side of ["+", "-"]) views.push(diffSide(flat, side))
  return views
}

function cutsOf(text: string, pattern: RegExp): Cut[] {
  const cuts: Cut[] = []
  let before = 0
  for (const { index, 0: found } of text.matchAll(pattern)) {
    let start = index
    while (start > before && isBlank(text[start - 1])) start -= 1
    before = index + found.length
    cuts.push({ start, end: before, text: "" })
  }
  return cuts
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t"
}

/** The joined lines of one side of a diff: the unchanged lines and those of this side. */
function diffSide(flat: DecodedText, side: string): DecodedText {
  const other = side === "+" ? "-" : "+"
  const cuts: Cut[] = []
  let start = 0
  for (const line of flat.text.split("\n")) {
    const end = Math.min(start + line.length + 1, flat.text.length)
    const sign = line[0]
    const isLeftOut = sign === other || line.startsWith("@@")
    const indent = /^[+\- ]?[ \t]*/.exec(line)?.[0].length ?? 0
    if (isLeftOut) cuts.push({ start, end, text: "" })
    else {
      cuts.push({ start, end: start + indent, text: "" })
      cuts.push({ start: start + Math.max(indent, line.trimEnd().length), end, text: "" })
    }
    start = end
  }
  return withCuts(flat, cuts)
}
