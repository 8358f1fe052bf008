import { createHmac } from "node:crypto"
import { type DecodedText, flatten, flattenButPercent, openCodingAt, undecoded, unwrap } from "./decoded-text.ts"
import { findKinds, firstKindAt, mayHoldKind, openKind, openPrefix } from "./find-kinds.ts"
import { findNamed, findNamedOverLines } from "./find-named.ts"
import { createPathFinder, type HomeOwner } from "./find-paths.ts"
import { findPrivateKeys, openPrivateKey, openPrivateKeyHead } from "./find-private-keys.ts"
import { findURLPasswords, findURLPasswordsOverLines } from "./find-url-passwords.ts"
import { isCode, isHarmless, isPath, isSpoken, isVersion } from "./harmless-values.ts"
import type { Hit } from "./hit.ts"
import { createKnownValues, type KnownValue, type KnownValues } from "./known-values.ts"
import { lastWordAt, namedGoesOn, openNamed, openShaped } from "./open-named.ts"
import { createOwnPatterns, type OwnPattern } from "./own-patterns.ts"
import { findByPreset } from "./preset-rules.ts"

/** A secret or private text, from `start` to before `end`. */
export interface Finding {
  rule: string
  /** For people: "AWS access key". */
  label: string
  /** `secret`: gives access to something; `private`: only tells about the machine and its people. */
  severity: "secret" | "private"
  /** A digest of the secret with the scanner's key: the same at every place, and useless without the secret. */
  digest: string
  start: number
  end: number
  /** The text that replaces it. */
  replacement: string
}

export interface Scanner {
  /**
   * The findings in order, without overlaps. `before` is text of other parts before this one, in which a secret may
   * begin. With `isWhole`, a possible first half of a secret at the end is a finding too.
   */
  find(text: string, options?: { before?: string; isWhole?: boolean }): Finding[]
  /** The position from which a growing text must be held back, because an incomplete secret may begin there. */
  openAt(text: string): number
  /** A secret that the end of the text may cut off; null when there is none. */
  cutAt(text: string): CutSecret | null
  /** Whether a secret may go over from the end of one text (`tail`) into the next: a quick check of where they meet. */
  mayGoOn(tail: string, text: string): boolean
  /** The known values that were found so far. */
  met(): readonly KnownValue[]
}

/** A secret that may go on in another text. */
interface CutSecret {
  /** Where it may begin, including the name that makes it a secret. */
  start: number
  /** Where the secret itself begins. */
  secret: number
  /** Enough of the secret is there to be no coincidence. */
  isCertain: boolean
}

export interface ScannerSources {
  /** The key of the digests. */
  key: string
  owner: HomeOwner
  known: readonly KnownValue[]
  patterns: readonly OwnPattern[]
}

/** Finds passwords with encoded characters in URLs. They are not decoded first: some of these would end a password. */
function findInEncodedURLs(text: string): Hit[] {
  if (!/%(?:25){0,8}[2-7]/.test(text) || !text.includes("@")) return []
  const view = flattenButPercent(text)
  return [...findURLPasswords(view), ...unwrap(view).flatMap(findURLPasswordsOverLines)]
}

/** How much of a text is read to see whether a secret goes on in it (UTF-16 units). */
const meeting = 400

/** Fewest characters behind a prefix, or of a known value, that are no coincidence at the end of a text. */
const certainLength = 4

/**
 * Finds secrets by secretlint's recommended rules, prefixes, names, known values and own patterns, and finds paths.
 */
export function createScanner(sources: ScannerSources): Scanner {
  const known = createKnownValues(sources.known)
  const findPaths = createPathFinder(sources.owner)
  const findOwn = createOwnPatterns(sources.patterns)
  const digest = (secret: string) => createHmac("sha256", sources.key).update(secret).digest("hex").slice(0, 32)
  const cutAt = rememberShort((text) => cutSecretAt(text, known.openAt))
  const hitsIn = (text: string): Hit[] => {
    const flat = flatten(text)
    const joined = unwrap(flat)
    const isLikely = joined.some((view) => mayHoldKind(view.text))
    return [
      ...(isLikely ? joined.flatMap(findKinds) : []),
      ...[flat, ...joined].flatMap(findPrivateKeys),
      ...findByPreset(flat, isLikely),
      ...findNamed(flat),
      ...joined.flatMap(findNamedOverLines),
      ...[flat, ...joined, ...(flat.text === text ? [] : [undecoded(text)])].flatMap(known.find),
      ...findInEncodedURLs(text),
      ...findCut(flat, known),
      ...findOwn(flat),
      ...findPaths(text),
    ]
  }
  const toFinding = ({ rule, label, start, end, secret, replacement }: Hit): Finding => ({
    rule,
    label,
    severity: replacement === undefined ? "secret" : "private",
    digest: digest(secret),
    start,
    end,
    replacement: replacement ?? `[redacted: ${label}]`,
  })
  return {
    find(text, { before = "", isWhole = false } = {}) {
      const lead = before === "" ? "" : `${before.slice(0, endBeforeFence(before))}\n`
      // A secret that begins before the text may go on in its first block of code.
      const skipped = lead === "" ? 0 : startBehindFence(text)
      const whole = lead + text.slice(skipped)
      const hits = hitsIn(whole)
      const rest = lead === "" ? null : restBehind(lead.slice(0, -1), text.slice(skipped, skipped + meeting))
      if (rest !== null) hits.push(restHit(whole, { start: lead.length + rest.start, end: lead.length + rest.end }))
      const cut = isWhole ? cutAt(whole) : null
      if (cut?.isCertain && !hits.some(({ start, end }) => start <= cut.secret && cut.secret < end))
        hits.push(cutSecret(whole, cut.secret))
      return merged(hits)
        .filter(({ end }) => end > lead.length)
        .map((hit) => ({
          ...hit,
          start: Math.max(hit.start - lead.length, 0) + skipped,
          end: hit.end - lead.length + skipped,
        }))
        .map(toFinding)
    },
    openAt: (text) => openAt(text, { known, hasPatterns: sources.patterns.length > 0 }),
    cutAt,
    met: known.met,
    mayGoOn(before, behind) {
      const tail = before.slice(0, endBeforeFence(before))
      const skipped = startBehindFence(behind)
      const text = behind.slice(skipped, skipped + meeting)
      const flat = flatten(tail).text
      const joined = flat + unwrapped(text)
      const first = known.find(undecoded(joined))[0]?.start ?? joined.length
      const begins = Math.min(firstKindAt(joined), known.openAt(joined), openPrivateKey(joined), first)
      return begins < flat.length || namedGoesOn(flat, flatten(text).text) || restBehind(tail, text) !== null
    },
  }
}

function cutSecret(text: string, start: number): Hit {
  const end = endBeforeFence(text)
  return { rule: "cut-secret", label: "part of a secret", start, end, secret: text.slice(start, end) }
}

function restHit(text: string, { start, end }: Rest): Hit {
  return { rule: "named-secret", label: "secret", start, end, secret: text.slice(start, end) }
}

/** How much of a text before a cut is read: enough for a name with its value (UTF-16 units). */
const cutReach = 700

/**
 * Finds pieces of secrets where a text was cut before the scan: the beginning of a secret before the mark of the cut,
 * and behind the mark the rest of a word that nobody would write.
 */
function findCut(flat: DecodedText, known: KnownValues): Hit[] {
  const hits: Hit[] = []
  const add = (start: number, end: number) => {
    const secret = flat.text.slice(start, end)
    hits.push({ rule: "cut-secret", label: "part of a secret", start: flat.from(start), end: flat.to(end), secret })
  }
  let behind = 0
  for (const { start, end, hasRest } of cutsIn(flat.text)) {
    const from = Math.max(behind, start - cutReach)
    const cut = cutSecretAt(flat.text.slice(from, start), known.openAt)
    const word = brokenWordAt(flat.text, start)
    if (cut?.isCertain) add(from + cut.secret, start)
    else if (isBrokenSecret(flat.text.slice(word, start))) add(word, start)
    behind = end
    if (!hasRest) continue
    const rest = brokenWordBehind(flat.text, end)
    const left = rest && flat.text.slice(rest.start, rest.end)
    if (left && (cut?.isCertain || known.endsOne(left) || isBrokenSecret(left))) add(rest.start, rest.end)
    for (const value of valuesOfBrokenName(flat.text, end)) add(value.start, value.end)
  }
  return hits
}

const brokenName = /[A-Za-z_-]{1,20}(?=["'`]?\s{0,3}[:=]|\s)/y
const wholeNames = [
  "password",
  "passphrase",
  "passwd",
  "secret",
  "token",
  "api_key",
  "private_key",
  "credentials",
  "bearer",
]

/** Values behind the rest of a cut name that calls them secret: `ssword=…`. */
function valuesOfBrokenName(text: string, from: number): { start: number; end: number }[] {
  brokenName.lastIndex = from
  const left = brokenName.exec(text)?.[0]
  const name = left && wholeNames.find((whole) => whole.endsWith(left.toLowerCase()))
  if (!name) return []
  const shift = from + left.length - name.length
  const whole = name + text.slice(from + left.length, from + cutReach)
  return findNamed(undecoded(whole))
    .slice(0, 1)
    .map(({ start, end }) => ({ start: start + shift, end: end + shift }))
}

/** Whether half a word is part of a secret: not of usual words, a number, a version or a path. */
function isBrokenSecret(word: string): boolean {
  if (isVersion(word) || isPath(word)) return false
  return /\d{6}/.test(word) || word.split(/[/?&=:#@]+/).some((piece) => piece.length >= 6 && isNoWord(piece))
}

/**
 * Whether a piece with letters does not consist of readable words, in one case or in camel case. Abbreviations that are
 * part of many names count as words.
 */
function isNoWord(piece: string): boolean {
  if (!/[A-Za-z]/.test(piece) || isVersion(piece)) return false
  const parts = piece.replace(abbreviations, " ").split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/)
  return !parts.every(
    (part) =>
      part.length < 2 || /^[A-Z]{2,3}$/.test(part) || (/^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(part) && isSpoken(part)),
  )
}

const abbreviations =
  /(?<![a-z])(?:https?|html|css|tsx?|jsx?|src|npm|pnpm|str|ctx|fn|db|md|sql|xml|yml|txt|png|svg|URL|HTTP)(?![a-z])/g

function unwrapped(text: string): string {
  return unwrap(flatten(text))[0]?.text ?? ""
}

/** The hits in order. Overlapping hits become one, with the label of one of them, see `namingHit`. */
function merged(hits: readonly Hit[]): Hit[] {
  // Secrets come before what only tells of places: the sort is stable and the finders are in order of certainty.
  const sorted = hits.toSorted((left, right) => left.start - right.start)
  const result: Hit[] = []
  for (const hit of sorted) {
    const last = result.at(-1)
    if (last === undefined || hit.start >= last.end) result.push(hit)
    else result[result.length - 1] = { ...namingHit(last, hit), start: last.start, end: Math.max(last.end, hit.end) }
  }
  return result
}

/** The one of two overlapping hits that gives both the label: a secret before a path, then the longer one. */
function namingHit(left: Hit, right: Hit): Hit {
  const isLeftSecret = left.replacement === undefined
  const isRightSecret = right.replacement === undefined
  if (isLeftSecret !== isRightSecret) return isLeftSecret ? left : right
  return right.rule === left.rule || right.end - right.start <= left.end - left.start ? left : right
}

function cutSecretAt(whole: string, openKnown: (text: string) => number): CutSecret | null {
  const offset = Math.max(0, whole.length - reach)
  const text = whole.slice(offset, endBeforeFence(whole))
  const cuts = unwrap(flatten(text.slice(0, openCodingAt(text)))).flatMap((view) => {
    const { length } = view.text
    const open = openKind(view)
    const key = openPrivateKey(view.text)
    const value = openKnown(view.text)
    const shape = openShaped(view.text)
    const others = [openPrefix(view.text), openPrivateKeyHead(view.text)]
    const start = Math.min(...[key, value, shape, open?.start ?? length, ...others])
    const isCertain =
      Math.min(key, shape) < length ||
      length - value >= certainLength ||
      (open !== null && open.length >= open.prefix.length + certainLength)
    const found = [start < length ? { start, secret: start, isCertain } : null, openNamed(view.text)]
    return found.flatMap((cut) =>
      cut === null ? [] : [{ ...cut, start: offset + view.from(cut.start), secret: offset + view.from(cut.secret) }],
    )
  })
  return cuts.length === 0 ? null : earliest(cuts)
}

/** Merges cut secrets into one that hides from the beginning of the first that is no coincidence. */
function earliest(cuts: readonly CutSecret[]): CutSecret {
  const certain = cuts.filter(({ isCertain }) => isCertain)
  return {
    start: Math.min(...cuts.map(({ start }) => start)),
    secret: Math.min(...(certain.length > 0 ? certain : cuts).map(({ secret }) => secret)),
    isCertain: certain.length > 0,
  }
}

/** How far back an incomplete secret may begin: more than the longest secret of any kind. */
const reach = 20_000
/** With own patterns, the last line of a growing text is held back, up to this many units. */
const longestLine = 2_000

/** The position where an incomplete secret may begin in a growing text; the length of the text when there is none. */
function openAt(text: string, { known, hasPatterns }: { known: KnownValues; hasPatterns: boolean }): number {
  const offset = Math.max(0, text.length - reach)
  const tail = text.slice(offset)
  const complete = openCodingAt(tail)
  let open = complete
  const flat = flatten(tail.slice(0, complete))
  for (const view of [flat, ...unwrap(flat)]) {
    const starts = [openPrefix, openPrivateKeyHead, openPrivateKey, known.openAt].map((find) => find(view.text))
    // A word that is not over may still become a secret.
    starts.push(lastWordAt(view.text))
    starts.push(openKind(view)?.start ?? view.text.length, openNamed(view.text)?.secret ?? view.text.length)
    for (const start of starts) if (start < view.text.length) open = Math.min(open, view.from(start))
  }
  if (hasPatterns) open = Math.min(open, Math.max(tail.lastIndexOf("\n") + 1, tail.length - longestLine))
  return offset + open
}

/** The place of the rest of a value in the next text. */
interface Rest {
  start: number
  end: number
}

const firstWord =
  /^(\s{0,4}(?:(?:```|~~~)[\w-]{0,20}[ \t]{0,8}\r?\n)?[ \t]{0,8}["'`*_]{0,3})([^\s"'`,;<>(){}[\]]{4,500})/
/** The end of a text that announces a value: more than only a name. */
const announces =
  /(?:[:=]["'`*_]{0,3}|[ *](?:is|was|are|were|will be|equals|reads|says|changed to|set to|now|still|called):?)\s{0,3}$/
/** Fewest characters of a value that begins in the second text. */
const fewestBehind = 6

/**
 * The value, or the rest of a value, at the beginning of a text (`next`) whose name is at the end of another (`tail`).
 * Only the two together make it a secret, so it must be something that nobody writes as a word.
 */
function restBehind(tail: string, next: string): Rest | null {
  const [, lead = "", found = ""] = firstWord.exec(next) ?? []
  const word = found.replace(/[.:!?*]+$/, "")
  const isMixed = /\d/.test(word) && /[A-Za-z]/.test(word)
  if (!isMixed || isHarmless(word) || isCode(word)) return null
  const { text } = flatten(tail)
  const open = openNamed(text)
  if (open === null) return null
  const goesOn = open.secret < text.length ? open.isCertain && lead === "" : announces.test(text)
  return goesOn && (open.secret < text.length || word.length >= fewestBehind)
    ? { start: lead.length, end: lead.length + word.length }
    : null
}

/** The mark in a text where a piece was left out. */
interface CutMark {
  /** Where the text before the mark ends. */
  start: number
  /** Where the text behind the mark begins. */
  end: number
  /** Whether the text behind the mark may be the rest of the cut piece; not after a mark that ends a text or a list. */
  hasRest: boolean
}

/**
 * An ellipsis, or a note with an ellipsis in brackets or on lines of its own, as Docket and many programs write it; and
 * the line that says how many characters are missing.
 */
const cutPattern = new RegExp(
  [
    String.raw`\s{0,3}\[…[^\n\]]{0,1000}\]\s{0,3}`,
    String.raw`\s{0,3}… \d{1,15} bytes of [^\n]{0,1000} …\s{0,3}`,
    String.raw`\s{0,3}\(\d{1,15} more characters were left out\.`,
    String.raw`\s?(?:…|\.{3})`,
  ].join("|"),
  "g",
)
const maybeCut = /…|\.{3}|more characters were left out/

/** The places where a piece was left out of the text, in order. */
function cutsIn(text: string): CutMark[] {
  if (!maybeCut.test(text)) return []
  return Array.from(text.matchAll(cutPattern), ({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
    hasRest: found.includes("…"),
  }))
}

/** Longest part of a broken word that is read (UTF-16 units). */
const longest = 400
/** The end of a cut name with its separator, and quotes, before the rest of a value. */
const between = /(?:\w?["'`]?[:=])?[\s"'`]{0,2}/y
const brokenWord = new RegExp(String.raw`[^\s"'\`<>(){}[\],;…]{1,${longest}}`, "y")
/** Fewer characters of a secret are of no use to anybody. */
const fewest = 6

/** Where the broken word before a mark begins; its end when it is too short for the beginning of a secret. */
function brokenWordAt(text: string, until: number): number {
  let start = until
  while (start > 0 && until - start < longest && !/[\s"'`<>(){}[\],;…]/.test(text[start - 1] ?? "")) start -= 1
  return until - start < fewest ? until : start
}

/**
 * The broken word behind a mark; null when it is too short for the rest of a secret. The end of a name before it is
 * skipped.
 */
function brokenWordBehind(text: string, cutEnd: number): { start: number; end: number } | null {
  between.lastIndex = cutEnd
  const start = cutEnd + (between.exec(text)?.[0].length ?? 0)
  brokenWord.lastIndex = start
  const length = brokenWord.exec(text)?.[0].length ?? 0
  return length < fewest ? null : { start, end: start + length }
}

const closingFence = /\r?\n[ \t]{0,8}(?:```|~~~)[ \t]{0,8}\s{0,4}$/
const openingFence = /^\s{0,4}(?:```|~~~)[\w-]{0,20}[ \t]{0,8}\r?\n/
/** More than the longest fence (UTF-16 units). */
const fenceReach = 50

/** Where the text ends, without the fence that closes its last block of code. */
function endBeforeFence(text: string): number {
  const from = Math.max(0, text.length - fenceReach)
  const match = closingFence.exec(text.slice(from))
  return match === null ? text.length : from + match.index
}

/** Where the text begins, without the fence that opens its first block of code. */
function startBehindFence(text: string): number {
  return openingFence.exec(text.slice(0, fenceReach))?.[0].length ?? 0
}

/** The longest text that is remembered (UTF-16 units), and the number of such texts. */
const limits = { units: 100, texts: 1_000 }

/**
 * Remembers the results of a function for short texts, because rows often repeat the same names of members, tools and
 * models. The result must depend only on the text.
 */
function rememberShort<T>(of: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    if (text.length > limits.units) return of(text)
    const there = known.get(text)
    if (there !== undefined) return there
    const made = of(text)
    if (known.size === limits.texts) known.clear()
    known.set(text, made)
    return made
  }
}
