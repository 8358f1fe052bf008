import type { Hit } from "./hit.ts"
import type { View } from "./view.ts"

/** A value that its name calls a secret. */
const named =
  /(api[_-]?key|secret[_-]?(?:access[_-]?)?key|secret|(?:access|auth|refresh|bearer|session|bot)[_-]?token|token|client[_-]?secret|private[_-]?key|passwo?r?d|passwd|passphrase|pwd|credentials?)(["'`]?\s{0,3}(?:=>|:=|:|=)\s{0,3})(["'`]?)([^\s"'`,;<>(){}[\]]{8,500})/gi
const authorization = /\b(?:Bearer|Basic)[ \t]+([A-Za-z0-9._~+/=-]{16,500})/gi
/** Forms without a prefix of their own. */
const shaped: readonly { rule: string; label: string; pattern: RegExp }[] = [
  {
    rule: "telegram-token",
    label: "Telegram bot token",
    pattern: /(?<![\w])\d{8,10}:AA[A-Za-z0-9_-]{32,34}(?![\w-])/g,
  },
  {
    rule: "discord-token",
    label: "Discord bot token",
    pattern: /(?<![\w-])[MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,38}(?![\w-])/g,
  },
  {
    rule: "url-password",
    label: "password in a URL",
    pattern: /(?<=[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/:@"'<>{}$]{0,100}:(?![*•x]+@)[^\s/:@"'<>{}$]{3,200}(?=@[\w.-])/g,
  },
]
/** The only form that a name, not a prefix, gives away and that has one length: also found over broken lines. */
const awsSecret = /aws[_-]?secret[_-]?(?:access[_-]?)?key["']?\s{0,3}(?:=>|:=|:|=)\s{0,3}["']?([A-Za-z0-9/+]{40})/gi

/** Secrets that stand in a flat text by a name or in a form of their own. */
export function findNamed(view: View): Hit[] {
  const { text } = view
  const hits: Hit[] = []
  const add = (rule: string, label: string, start: number, secret: string) =>
    hits.push({ rule, label, start: view.from(start), end: view.to(start + secret.length), secret })
  for (const match of text.matchAll(named)) {
    const [whole, , , quote = "", value = ""] = match
    const start = match.index + whole.length - value.length
    if (isSecretValue(value, quote !== "", text[start + value.length])) add("named-secret", "secret", start, value)
  }
  for (const { index, 0: whole, 1: value = "" } of text.matchAll(authorization))
    if (looksRandom(value, 16)) add("authorization", "authorization", index + whole.length - value.length, value)
  for (const { rule, label, pattern } of shaped)
    for (const { index, 0: secret } of text.matchAll(pattern)) add(rule, label, index, secret)
  return hits
}

/** The same of a view whose lines are joined. */
export function findNamedOverLines(view: View): Hit[] {
  const hits: Hit[] = []
  for (const { index, 0: whole, 1: secret = "" } of view.text.matchAll(awsSecret)) {
    const end = index + whole.length
    const start = view.from(end - secret.length)
    hits.push({ rule: "aws-secret-key", label: "AWS secret key", start, end: view.to(end), secret })
  }
  return hits
}

function isSecretValue(value: string, isQuoted: boolean, next: string | undefined): boolean {
  // A call, a template or the path of a variable is code that gets the secret, not the secret.
  if (
    next === "(" ||
    next === "{" ||
    next === "[" ||
    /^[$%*<]|^process\.|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value)
  )
    return false
  return looksRandom(value, isQuoted ? 8 : 12) && (isQuoted || (value.match(/\d/g)?.length ?? 0) >= 2)
}

/** Whether nobody would write it as a word: letters and digits, not one after another, of many kinds. */
function looksRandom(value: string, fewest: number): boolean {
  if (value.length < fewest || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false
  return entropy(value) >= (value.length < 16 ? 2.5 : 3)
}

/** Shannon entropy in bits a character. */
function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}
