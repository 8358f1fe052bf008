import { createScanner, redactText } from "../../ground/redact/index.ts"

/** Only references, perhaps after the scheme of a header: this shows where a secret is, not the secret. */
const onlyReferences = /^(?:(?:Bearer|Basic) )?(?:\{(?:env|file):[^{}]+\})+$/i
export const isReference = (text: string): boolean => onlyReferences.test(text)
const secretName = /key|token|secret|passw|auth|credential|cookie|signature/i
/** Counts of tokens are named like what lets somebody in. */
const countName = /tokens$/i
/** Characters of a value that are shown. */
const shownLength = 200

/** The text that replaces a secret. */
export const hiddenValue = "(hidden)"

/** Secrets are found by what they look like; a path in the home is none here. */
const scanner = createScanner({ key: "", owner: { home: "/", user: null }, known: [], patterns: [] })

/** A text without what is a secret by how it looks. */
export function withoutSecrets(text: string): string {
  return redactText(
    text,
    scanner.find(text).filter(({ severity }) => severity === "secret"),
  )
}

/**
 * A value of a configuration as it is written, for people: at most 200 characters and no secret. Where secrets are kept,
 * only a reference to one is shown.
 */
export function shownValue(path: readonly string[], value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  if (keepsSecrets(path) && canHoldSecret(value)) return isReference(text) ? text : hiddenValue
  // Much more than is shown, so that a secret at the cut is still found whole.
  const safe = withoutSecrets(withoutLogin(text.slice(0, 20 * shownLength)))
  return safe.length > shownLength ? `${safe.slice(0, shownLength)}…` : safe
}

/** True and false, numbers, and what is empty (`""`, `{}`, `[]`) tell nothing. */
function canHoldSecret(value: unknown): boolean {
  return typeof value === "string" ? value !== "" : typeof value === "object" && JSON.stringify(value).length > 2
}

/** Whether the value at a path is not shown: an option of a provider package, or a value with the name of a secret. */
export function keepsSecrets(path: readonly string[]): boolean {
  const [section, , part, ...rest] = path
  if (section === "permission" || part === "permission" || part === "tools") return false
  if (section === "agent" && part === "acp" && rest[0] === "env") return true
  if (section === "provider" && part === "options") return rest[0] !== "baseURL"
  if (section === "provider" && (rest.includes("headers") || rest.includes("options"))) return true
  return path.slice(1).some((key) => secretName.test(key) && !countName.test(key))
}

/** Addresses may hold a name and a password. */
export function withoutLogin(text: string): string {
  return text.replace(/(\w:\/\/)[^/\s@"]+@/g, `$1${hiddenValue}@`)
}
