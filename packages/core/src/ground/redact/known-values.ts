import { parseEnv } from "node:util"
import { type DecodedText, flatten } from "./decoded-text.ts"
import { escaped } from "./escaped.ts"
import { isPath, isPlainWord, isVersion } from "./harmless-values.ts"
import type { Hit } from "./hit.ts"

/** A secret that Docket knows, with a label for people: "key of anthropic", "value of DATABASE_URL". */
export interface KnownValue {
  value: string
  label: string
}

export interface KnownValues {
  find(view: DecodedText): Hit[]
  /** The position where the text ends with the first part of a value; its length when it does not. */
  openAt(text: string): number
  /** Whether a text without its beginning starts with the last part of a value. */
  endsOne(text: string): boolean
  /** The known values that were found so far. */
  met(): readonly KnownValue[]
}

/** Shorter values are part of too many words: they are only found as whole words. */
const shortest = 6
/** Fewest characters of a decoded value. */
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
    endsOne: (text) => values.some((value) => beginsWithEndOf(value, text)),
    openAt(text) {
      let open = text.length
      for (const value of values) open = Math.min(open, text.length - overlap(text, value))
      return open
    },
  }
}

/** A value that is short, or a word like any other, is only found as a whole word. */
function patternOf(value: string): string {
  const isAlone = value.length < shortest || /^[A-Z]?[a-z]{1,9}$/.test(value)
  return isAlone ? `(?<![A-Za-z0-9_])${escaped(value)}(?![A-Za-z0-9_])` : escaped(value)
}

/**
 * The forms of a value in a text: unchanged, with its own codings decoded, with accents composed and decomposed,
 * without its line breaks (because lines of the text are joined), and in base64.
 */
function formsOf(value: string): string[] {
  const read = [value, flattened(value)].flatMap((form) => [form, form.normalize("NFC"), form.normalize("NFD")])
  if (value.length < shortest) return read
  const joined = read.map((form) => form.replace(/\s*\n\s*/g, ""))
  return [...read, ...joined, Buffer.from(value).toString("base64").replace(/=+$/, "")]
}

/** The value decoded; the value itself where the decoded text would be too short or a common word. */
function flattened(value: string): string {
  const { text } = flatten(value)
  return text.trim().length < fewestRead || isPlainWord(text.trim()) ? value : text
}

/** Whether the text begins with the end of a value, by more than a few characters. */
function beginsWithEndOf(value: string, text: string): boolean {
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

const secretName =
  /key|secret|token|tok(?:$|_)|pass|pwd|pw(?:$|_)|credential|cred(?:$|s|_)|auth(?!or)|dsn|private|salt|signature|cookie|webhook|(?:^|_)pin(?:$|_)/i

/** Fewest characters of a value, and of one whose name says that it is secret. */
const fewest = { any: 6, secret: 3 }

/**
 * The values of a `.env` file that are hidden: all that are long enough, and short ones whose name says that they are
 * secret. Paths, versions and common words are not hidden.
 */
export function envValues(content: string): KnownValue[] {
  return Object.entries(parseEnv(content)).flatMap(([name, value = ""]) => knownValue(name, value.trim()) ?? [])
}

/** The variables of a process whose names say that they are secret. */
export function secretsInEnvironment(env: Readonly<Record<string, string | undefined>>): KnownValue[] {
  return Object.entries(env).flatMap(([name, value = ""]) =>
    isSecretName(name) && value.length >= fewest.any ? (knownValue(name, value) ?? []) : [],
  )
}

/** Whether a path names a file of environment variables, and not an example of one. */
export function isEnvFile(path: string): boolean {
  return /(?:^|[\\/])\.env(?:\.(?!example$|sample$|template$|dist$)[\w-]+)*$/.test(path)
}

/** Whether the name of a variable says that its value is secret. */
function isSecretName(name: string): boolean {
  return secretName.test(name)
}

function knownValue(name: string, value: string): KnownValue | null {
  const isSecret = isSecretName(name)
  if (value.length < (isSecret ? fewest.secret : fewest.any)) return null
  if (isPlainWord(value) || isVersion(value) || isPath(value)) return null
  return { value, label: `value of ${name}` }
}
