import { createHmac } from "node:crypto"
import { endBeforeFence, startBehindFence } from "./code-fences.ts"
import { brokenWordAt, brokenWordBehind, cutMarks } from "./cut-marks.ts"
import { findKinds, firstKindAt, mayHoldKind, openKind, openPrefix } from "./find-kinds.ts"
import { findNamed, findNamedOverLines } from "./find-named.ts"
import { createPathFinder, type HomeOwner } from "./find-paths.ts"
import { findPrivateKeys, openPrivateKey, openPrivateKeyHead } from "./find-private-keys.ts"
import { findURLPasswords, findURLPasswordsOverLines } from "./find-url-passwords.ts"
import { flatten, flattenButPercent, openCodingAt } from "./flatten.ts"
import type { Hit } from "./hit.ts"
import { createKnownValues, type KnownValue, type KnownValues } from "./known-values.ts"
import { openAt, reach } from "./open-at.ts"
import { namedGoesOn, openNamed, openShaped } from "./open-named.ts"
import { createOwnPatterns, type OwnPattern } from "./own-patterns.ts"
import { isPath, isSpoken, isVersion } from "./plain-values.ts"
import { findByPreset } from "./preset-rules.ts"
import { rememberShort } from "./remember-short.ts"
import { type Rest, restBehind } from "./rest-behind.ts"
import { unwrap } from "./unwrap.ts"
import { plainView, type View } from "./view.ts"

/** Something in a text that is not for everybody: from `start` to before `end`. */
export interface Finding {
  rule: string
  /** For people: "AWS access key". */
  label: string
  /** What lets somebody in, or only tells of the machine and its people. */
  severity: "secret" | "private"
  /** Of the secret under the scanner's key: the same wherever the secret stands, and nothing without the key. */
  digest: string
  start: number
  end: number
  /** What is put in its place. */
  replacement: string
}

export interface Scanner {
  /**
   * What is not for everybody, in order, without overlaps. `before` is what stands before the text in other parts, for
   * a secret that begins there; with `isWhole`, also what may be the first half of one at the end.
   */
  find(text: string, options?: { before?: string; isWhole?: boolean }): Finding[]
  /** From where on a text that grows must be held: a secret may begin there that is not over. */
  openAt(text: string): number
  /** What the end of the text may cut off; null when there is nothing. */
  cutAt(text: string): CutSecret | null
  /** Whether a text may go on with a secret that one before it ends with: a quick look at where they meet. */
  mayGoOn(tail: string, text: string): boolean
  /** The known values that stood in what was scanned so far. */
  met(): readonly KnownValue[]
}

/** A secret that may go on in another text. */
export interface CutSecret {
  /** Where it may begin, with what calls it a secret. */
  start: number
  /** Where the secret itself does. */
  secret: number
  /** So much of it stands there that it is no accident. */
  isTelling: boolean
}

export interface ScannerSources {
  /** Of the digests. */
  key: string
  owner: HomeOwner
  known: readonly KnownValue[]
  patterns: readonly OwnPattern[]
}

/** Passwords in URLs with signs that are encoded, as they stand there: decoded, they would end a password. */
function findInEncodedURLs(text: string): Hit[] {
  if (!/%(?:25){0,8}[2-7]/.test(text) || !text.includes("@")) return []
  const view = flattenButPercent(text)
  return [...findURLPasswords(view), ...unwrap(view).flatMap(findURLPasswordsOverLines)]
}

/** How much of a text is looked at to see whether it goes on with a secret (UTF-16 units). */
const meeting = 400

/** Fewest characters behind a prefix, or of a known value, that are no accident at the end of a text. */
const telling = 4

/** Finds secrets by secretlint's recommended rules, by how they begin, by name, by value, by own patterns; and paths. */
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
      ...[flat, ...joined, ...(flat.text === text ? [] : [plainView(text)])].flatMap(known.find),
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
      if (cut?.isTelling && !hits.some(({ start, end }) => start <= cut.secret && cut.secret < end))
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
      const first = known.find(plainView(joined))[0]?.start ?? joined.length
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

/** Of a text before the place where it was cut, as much as a name with its value takes (UTF-16 units). */
const cutReach = 700

/**
 * Pieces of secrets where a text was cut before it was scanned: the beginning of one before a mark that says so, and
 * behind it what is left of a word that nobody would write.
 */
function findCut(flat: View, known: KnownValues): Hit[] {
  const hits: Hit[] = []
  const add = (start: number, end: number) => {
    const secret = flat.text.slice(start, end)
    hits.push({ rule: "cut-secret", label: "part of a secret", start: flat.from(start), end: flat.to(end), secret })
  }
  let behind = 0
  for (const { start, end, hasRest } of cutMarks(flat.text)) {
    const from = Math.max(behind, start - cutReach)
    const cut = cutSecretAt(flat.text.slice(from, start), known.openAt)
    const word = brokenWordAt(flat.text, start)
    if (cut?.isTelling) add(from + cut.secret, start)
    else if (isBrokenSecret(flat.text.slice(word, start))) add(word, start)
    behind = end
    if (!hasRest) continue
    const rest = brokenWordBehind(flat.text, end)
    const left = rest && flat.text.slice(rest.start, rest.end)
    if (left && (cut?.isTelling || known.endsOne(left) || isBrokenSecret(left))) add(rest.start, rest.end)
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

/** Values behind what a cut left of a name that calls them secret: `ssword=…`. */
function valuesOfBrokenName(text: string, from: number): { start: number; end: number }[] {
  brokenName.lastIndex = from
  const left = brokenName.exec(text)?.[0]
  const name = left && wholeNames.find((whole) => whole.endsWith(left.toLowerCase()))
  if (!name) return []
  const shift = from + left.length - name.length
  const whole = name + text.slice(from + left.length, from + cutReach)
  return findNamed(plainView(whole))
    .slice(0, 1)
    .map(({ start, end }) => ({ start: start + shift, end: end + shift }))
}

/** Whether a word without its other half is none that people write: neither words nor a number, a version or a path. */
function isBrokenSecret(word: string): boolean {
  if (isVersion(word) || isPath(word)) return false
  return /\d{6}/.test(word) || word.split(/[/?&=:#@]+/).some((piece) => piece.length >= 6 && isNoWord(piece))
}

/** Letters that can be read, in one case or in camel case; a few that nobody reads are part of many names. */
function isNoWord(piece: string): boolean {
  if (!/[A-Za-z]/.test(piece) || isVersion(piece)) return false
  const parts = piece.replace(unread, " ").split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/)
  return !parts.every(
    (part) =>
      part.length < 2 || /^[A-Z]{2,3}$/.test(part) || (/^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(part) && isSpoken(part)),
  )
}

const unread =
  /(?<![a-z])(?:https?|html|css|tsx?|jsx?|src|npm|pnpm|str|ctx|fn|db|md|sql|xml|yml|txt|png|svg|URL|HTTP)(?![a-z])/g

function unwrapped(text: string): string {
  return unwrap(flatten(text))[0]?.text ?? ""
}

/** The hits in order; those that overlap become one, which is called after the first to say so. */
function merged(hits: readonly Hit[]): Hit[] {
  // Secrets come before what only tells of places: the sort is stable and the finders are in order of certainty.
  const sorted = hits.toSorted((left, right) => left.start - right.start)
  const result: Hit[] = []
  for (const hit of sorted) {
    const last = result.at(-1)
    if (last === undefined || hit.start >= last.end) result.push(hit)
    else result[result.length - 1] = { ...wider(last, hit), start: last.start, end: Math.max(last.end, hit.end) }
  }
  return result
}

/** What two overlapping hits are called: a secret before a path, then what says more. */
function wider(left: Hit, right: Hit): Hit {
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
    const isTelling =
      Math.min(key, shape) < length ||
      length - value >= telling ||
      (open !== null && open.length >= open.prefix.length + telling)
    const found = [start < length ? { start, secret: start, isTelling } : null, openNamed(view.text)]
    return found.flatMap((cut) =>
      cut === null ? [] : [{ ...cut, start: offset + view.from(cut.start), secret: offset + view.from(cut.secret) }],
    )
  })
  return cuts.length === 0 ? null : earliest(cuts)
}

/** All of them in one: what is shown of none is hidden from where the first begins that is no accident. */
function earliest(cuts: readonly CutSecret[]): CutSecret {
  const certain = cuts.filter(({ isTelling }) => isTelling)
  return {
    start: Math.min(...cuts.map(({ start }) => start)),
    secret: Math.min(...(certain.length > 0 ? certain : cuts).map(({ secret }) => secret)),
    isTelling: certain.length > 0,
  }
}
