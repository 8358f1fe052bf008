import type { DecodedText } from "./decoded-text.ts"
import { flatten } from "./flatten.ts"
import type { Hit } from "./hit.ts"
import { isPlainWord } from "./plain-values.ts"

/** A secret that is known as such, with words for people: "key of anthropic", "value of DATABASE_URL". */
export interface KnownValue {
  value: string
  label: string
}

export interface KnownValues {
  find(view: DecodedText): Hit[]
  /** Where the end of the text is the first part of a value; its length when nowhere. */
  openAt(text: string): number
  /** Whether a text, whose beginning is cut off, begins with the last part of a value. */
  endsOne(text: string): boolean
  /** Those that were found so far. */
  met(): readonly KnownValue[]
}

/** Shorter values stand in too many words: they are only found by themselves. */
const shortest = 6
/** Fewest characters of what a value reads as once it is decoded. */
const fewestRead = 4

export function createKnownValues(known: readonly KnownValue[]): KnownValues {
  const met = new Set<KnownValue>()
  const owners = new Map<string, KnownValue>()
  for (const owner of known) for (const form of formsOf(owner.value)) if (!owners.has(form)) owners.set(form, owner)
  const values = [...owners.keys()].sort((left, right) => right.length - left.length)
  const pattern = values.length === 0 ? null : new RegExp(values.map(patternOf).join("|"), "g")
  return {
    find(view) {
      if (pattern === null) return []
      return Array.from(view.text.matchAll(pattern), ({ index, 0: secret }) => {
        const owner = owners.get(secret)
        if (owner) met.add(owner)
        const [start, end] = [view.from(index), view.to(index + secret.length)]
        return { rule: "known-value", label: owner?.label ?? "secret", start, end, secret: owner?.value ?? secret }
      })
    },
    met: () => [...met],
    endsOne: (text) => values.some((value) => endOf(value, text)),
    openAt(text) {
      let open = text.length
      for (const value of values) open = Math.min(open, text.length - overlap(text, value))
      return open
    },
  }
}

/** A value of letters, digits and few others that is a word of its own, when it is short or a word like any other. */
function patternOf(value: string): string {
  const isAlone = value.length < shortest || /^[A-Z]?[a-z]{1,9}$/.test(value)
  return isAlone ? `(?<![A-Za-z0-9_])${escaped(value)}(?![A-Za-z0-9_])` : escaped(value)
}

/**
 * How it may stand in a text: as it is, as it reads when its own codings are taken for such, with its accents composed
 * and by themselves, without its line breaks (those of the text are joined), and in base64.
 */
function formsOf(value: string): string[] {
  const read = [value, flattened(value)].flatMap((form) => [form, form.normalize("NFC"), form.normalize("NFD")])
  if (value.length < shortest) return read
  const joined = read.map((form) => form.replace(/\s*\n\s*/g, ""))
  return [...read, ...joined, Buffer.from(value).toString("base64").replace(/=+$/, "")]
}

/** What a text says that holds the value; the value itself where that would be any word. */
function flattened(value: string): string {
  const { text } = flatten(value)
  return text.trim().length < fewestRead || isPlainWord(text.trim()) ? value : text
}

/** Whether the text begins with more of the end of a value than a few characters. */
function endOf(value: string, text: string): boolean {
  const at = value.indexOf(text.slice(0, shortest))
  return at >= 0 && text.startsWith(value.slice(at))
}

/** The length of the longest proper beginning of `value` that `text` ends with. */
function overlap(text: string, value: string): number {
  const last = text.at(-1)
  let length = Math.min(value.length - 1, text.length)
  while (last !== undefined && length > 0) {
    // Only what ends with the same character can be the same.
    length = value.lastIndexOf(last, length - 1) + 1
    if (length > 0 && text.endsWith(value.slice(0, length))) return length
    length -= 1
  }
  return 0
}

function escaped(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
}
