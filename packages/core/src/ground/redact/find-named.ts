import { findForms } from "./find-forms.ts"
import { plainWord } from "./find-kinds.ts"
import { findURLPasswords, findURLPasswordsOverLines } from "./find-url-passwords.ts"
import { isCode } from "./harmless-values.ts"
import type { Hit } from "./hit.ts"
import { isWords } from "./is-words.ts"
import { looksRandom } from "./looks-random.ts"
import { namedValues } from "./named-values.ts"
import { lastAtMost, seamsWithin, type View } from "./view.ts"

const authorization = /\b(?:Bearer|Basic)\s{1,40}([A-Za-z0-9._~+/=-]{16,500})/gi
/** Forms without a prefix of their own. */
const shaped: readonly { rule: string; label: string; pattern: RegExp }[] = [
  {
    rule: "telegram-token",
    label: "Telegram bot token",
    pattern: /(?<![\w])(\d{8,10}:AA[A-Za-z0-9_-]{32,34})(?![\w-])/g,
  },
  {
    rule: "discord-token",
    label: "Discord bot token",
    pattern: /(?<![\w-])([MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,38})(?![\w-])/g,
  },
]
/** Has one length: where it ends over broken lines is certain. */
const awsSecret = /aws[_-]?secret[_-]?(?:access[_-]?)?key["']?\s{0,3}(?:=>|:=|:|=)\s{0,3}["']?([A-Za-z0-9/+]{40})/gi

/** Secrets that stand in a flat text by a name or in a form of their own. */
export function findNamed(view: View): Hit[] {
  const { text } = view
  const hits: Hit[] = []
  for (const { start, end, isSecret } of namedValues(text))
    if (isSecret) hits.push(hitOf(view, { rule: "named-secret", label: "secret", start, end }))
  for (const place of authorizations(text))
    if (looksRandom(text.slice(place.start, place.end), 16)) hits.push(hitOf(view, place))
  for (const place of findForms(text)) hits.push(hitOf(view, place))
  for (const { rule, label, pattern } of shaped)
    for (const place of placesOf(text, pattern)) hits.push(hitOf(view, { rule, label, ...place }))
  hits.push(...findURLPasswords(view))
  return hits
}

/** The same of a view whose lines are joined: what goes over the end of one. */
export function findNamedOverLines(view: View): Hit[] {
  const { text, seams } = view
  const hits: Hit[] = []
  for (const place of placesOf(text, awsSecret))
    hits.push(hitOf(view, { rule: "aws-secret-key", label: "AWS secret key", ...place }))
  if (seams.length === 0) return hits
  for (const { rule, label, start, end, isQuoted } of valuesOverLines(view)) {
    const stop = endOverLines(view, { rule, start, end, isQuoted })
    if (stop !== null && isSecret(rule, text.slice(start, stop), isQuoted, text[stop]))
      hits.push(hitOf(view, { rule, label, start, end: stop }))
  }
  hits.push(...findURLPasswordsOverLines(view))
  return hits
}

export interface Found {
  rule: string
  label: string
  start: number
  end: number
}

/** Where a pattern has its group, which it ends with. */
function* placesOf(text: string, pattern: RegExp): Generator<Pick<Found, "start" | "end">> {
  for (const { index, 0: whole, 1: secret = "" } of text.matchAll(pattern)) {
    const end = index + whole.length
    yield { start: end - secret.length, end }
  }
}

function hitOf(view: View, { rule, label, start, end }: Found): Hit {
  return { rule, label, start: view.from(start), end: view.to(end), secret: view.text.slice(start, end) }
}

/** Values behind a name, or a word of a header, whether they are secret or not. */
function* valuesOverLines(view: View): Generator<Found & { isQuoted: boolean }> {
  const { text } = view
  for (const { start, end, isQuoted } of namedValues(text, (nameEnd) => mayGoOverLine(view, nameEnd)))
    yield { rule: "named-secret", label: "secret", start, end, isQuoted }
  for (const place of authorizations(text)) yield { ...place, isQuoted: false }
}

/** Whether the line with a name ends before a value could, and the name has one. */
function mayGoOverLine({ text, seams }: View, nameEnd: number): boolean {
  const seam = seams[lastAtMost(seams, nameEnd - 1) + 1]
  if (seam === undefined || seam - nameEnd > 520) return false
  return /^["'`]?\]?[?!]?\s{0,3}(?:[:=]|$)/.test(text.slice(nameEnd, Math.min(seam, nameEnd + 12)))
}

function* authorizations(text: string): Generator<Found> {
  for (const place of placesOf(text, authorization)) yield { rule: "authorization", label: "authorization", ...place }
}

function isSecret(rule: string, value: string, isQuoted: boolean, next: string | undefined): boolean {
  return rule === "authorization" ? looksRandom(value, 16) : isSecretValue(value, isQuoted, next)
}

/**
 * Where a value ends that goes over the end of a line; null for one that does not. In quotes it goes on to the next one;
 * else as long as lines begin with what is neither a word nor another name.
 */
function endOverLines(
  view: View,
  { rule, start, end, isQuoted }: Omit<Found, "label"> & { isQuoted: boolean },
): number | null {
  const { text } = view
  const seams = seamsWithin(view, start - 1, end)
  if (seams.length === 0) return null
  if (isQuoted && /["'`]/.test(text[end] ?? "")) return end
  let stop: number | null = null
  for (const [nth, seam] of seams.entries()) {
    const next = seams[nth + 1] ?? end
    const line = text.slice(seam, next)
    const isWhole = isSecret(rule, text.slice(start, seam), isQuoted, undefined)
    if (
      plainWord.test(line) ||
      /^\d{1,6}[|→]/.test(line) ||
      /[=:]/.test(line.replace(/=+$/, "")) ||
      (isWhole && isWords(line))
    )
      break
    stop = next
  }
  return stop
}

function isSecretValue(value: string, isQuoted: boolean, next: string | undefined): boolean {
  if (next === "(" || next === "{" || next === "[" || isCode(value)) return false
  return looksRandom(value, isQuoted ? 8 : 12) && (isQuoted || (value.match(/\d/g)?.length ?? 0) >= 2)
}
