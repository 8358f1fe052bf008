import { type DecodedText, lastAtMost } from "./decoded-text.ts"
import type { Hit } from "./hit.ts"
import { type SecretKind, secretKinds } from "./secret-kind.ts"

const kindOf = new Map(secretKinds.flatMap((kind) => kind.prefixes.map((prefix) => [prefix, kind] as const)))
// Longest first: `sk-ant-` before `sk-`.
const prefixes = [...kindOf.keys()].sort((left, right) => right.length - left.length)
const longestPrefix = prefixes[0]?.length ?? 0
/** What a prefix may begin with, itself left out. */
const firstParts = new Set(prefixes.flatMap((prefix) => Array.from(prefix, (_, length) => prefix.slice(0, length))))
const anyPrefix = prefixes.map(escaped).join("|")
const begins = new RegExp(anyPrefix, "g")
const hasBeginning = new RegExp(anyPrefix)
const bodies = new Map(secretKinds.map((kind) => [kind, new RegExp(`[${kind.body}]*`, "y")]))

/** Where secrets of known kinds stand in a view whose lines are joined. */
export function findKinds(view: DecodedText): Hit[] {
  const hits: Hit[] = []
  const runEnd = createRuns(view.text)
  for (const { start, kind, prefix } of beginnings(view)) {
    const stop = endOf(view, { start, kind, prefix }, runEnd(kind, start + prefix.length))
    if (stop === null) continue
    const end = withoutFullStop(view.text, { enough: start + prefix.length + kind.min, stop })
    const secret = view.text.slice(start, end)
    if (kind.accepts && !kind.accepts.test(secret)) continue
    hits.push({ rule: kind.id, label: kind.label, start: view.from(start), end: view.to(end), secret })
  }
  return hits
}

/** A secret that begins in a view and may go on behind its end. */
interface OpenKind {
  start: number
  prefix: string
  /** Whole characters of it, prefix included. */
  length: number
}

/** The first secret of a known kind that the end of the view may cut off. */
export function openKind(view: DecodedText): OpenKind | null {
  if (!mayHoldKind(view.text)) return null
  const runEnd = createRuns(view.text)
  for (const { start, kind, prefix } of beginnings(view)) {
    const end = runEnd(kind, start + prefix.length)
    if (end === view.text.length && end - start <= prefix.length + kind.max)
      return { start, prefix, length: end - start }
  }
  return null
}

/** Where the end of the text is the first part of a prefix; its length when nowhere. */
export function openPrefix(text: string): number {
  for (let length = Math.min(longestPrefix - 1, text.length); length > 0; length--)
    if (firstParts.has(text.slice(text.length - length))) return text.length - length
  return text.length
}

/** Whether a secret of a known kind may stand in the text. */
export function mayHoldKind(text: string): boolean {
  return hasBeginning.test(text)
}

/** Where in the text the first secret of a known kind may begin; its length when nowhere. */
export function firstKindAt(text: string): number {
  return hasBeginning.exec(text)?.index ?? text.length
}

interface Beginning {
  start: number
  kind: SecretKind
  prefix: string
}

function* beginnings(view: DecodedText): Generator<Beginning> {
  for (const { index: start, 0: prefix } of view.text.matchAll(begins)) {
    const kind = kindOf.get(prefix)
    if (kind !== undefined && beginsWord(view, start)) yield { start, kind, prefix }
  }
}

function beginsWord(view: DecodedText, start: number): boolean {
  const before = view.text[start - 1]
  // A path, or a host of a domain, goes on behind a word.
  if (/[/.]/.test(view.text[start] ?? "")) return true
  return !before || !/[A-Za-z0-9]/.test(before) || view.from(start) !== view.to(start)
}

/** Where runs of the characters of a kind end. Each run is read once, however many prefixes stand in it. */
function createRuns(text: string): (kind: SecretKind, from: number) => number {
  const ends = new Map<RegExp, number>()
  return (kind, from) => {
    const body = bodies.get(kind)
    if (body === undefined) return from
    const known = ends.get(body) ?? -1
    body.lastIndex = from
    const end = from < known ? known : from + (body.exec(text)?.[0].length ?? 0)
    ends.set(body, end)
    return Math.min(end, from + kind.max)
  }
}

/**
 * Where the secret ends: with its run of characters; where lines were joined, with the line in which it is long enough
 * when the next one begins with a word. Null when it is too short, or goes on as no such secret does.
 */
function endOf(view: DecodedText, { start, kind, prefix }: Beginning, run: number): number | null {
  const from = start + prefix.length
  const enough = from + kind.min
  if (run < enough) return null
  if (kind.min === kind.max) {
    const next = view.text[enough]
    const goesOn = next !== undefined && new RegExp(`[${kind.body}]`).test(next) && !isSeam(view, enough)
    return goesOn ? null : enough
  }
  return endOfLines(view, { start, kind, enough, run })
}

/** Behind it there is nothing, or white space, and a dot there ends a sentence. */
function withoutFullStop(text: string, { enough, stop }: { enough: number; stop: number }): number {
  return stop > enough && text[stop - 1] === "." && /^(?:\s|$)/.test(text.slice(stop, stop + 1)) ? stop - 1 : stop
}

/** What a line begins with that goes on with words. */
export const plainWord = /^(?:[A-Z]?[a-z]+|[A-Z]+|\d{1,4}|\W+)$/

function endOfLines(
  view: DecodedText,
  { start, kind, enough, run }: Omit<Beginning, "prefix"> & { enough: number; run: number },
) {
  for (let nth = lastAtMost(view.seams, start) + 1; nth < view.seams.length; nth++) {
    const seam = view.seams[nth] ?? run
    if (seam >= run) return run
    const next = Math.min(view.seams[nth + 1] ?? run, run)
    const isOver = plainWord.test(view.text.slice(seam, next))
    if (seam >= enough && isOver && kind.accepts?.test(view.text.slice(start, seam)) !== false) return seam
  }
  return run
}

function isSeam(view: DecodedText, index: number): boolean {
  return view.seams[lastAtMost(view.seams, index)] === index
}

function escaped(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
}
