import { type DecodedText, lastAtMost, seamsWithin } from "./decoded-text.ts"
import { escaped } from "./escaped.ts"
import { plainWord } from "./find-kinds.ts"
import { findURLPasswords, findURLPasswordsOverLines } from "./find-url-passwords.ts"
import { isCode, isDescription, isHarmless, isProse, isVersion, isWords, looksRandom } from "./harmless-values.ts"
import type { Hit } from "./hit.ts"
import { mayHoldName, namedValues } from "./named-values.ts"
import { namedPattern } from "./secret-names.ts"

const authorization = /\b(?:Bearer|Basic)\s{1,40}([A-Za-z0-9._~+/=-]{16,500})/gi
/** Secrets that are known by their form, without a prefix. */
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
/** An AWS secret key has one length, so where it ends is certain also over broken lines. */
const awsSecret = /aws[_-]?secret[_-]?(?:access[_-]?)?key["']?\s{0,3}(?:=>|:=|:|=)\s{0,3}["']?([A-Za-z0-9/+]{40})/gi

/** Finds secrets in a flat text by the name before them or by their own form. */
export function findNamed(view: DecodedText): Hit[] {
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

/** Like `findNamed`, but only for secrets that go over the end of a line, in a view whose lines are joined. */
export function findNamedOverLines(view: DecodedText): Hit[] {
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

/** A secret in a flat text, with its label for people. */
interface Found {
  rule: string
  label: string
  start: number
  end: number
}

/** The places of the first group of a pattern. The pattern must end with that group. */
function* placesOf(text: string, pattern: RegExp): Generator<Pick<Found, "start" | "end">> {
  for (const { index, 0: whole, 1: secret = "" } of text.matchAll(pattern)) {
    const end = index + whole.length
    yield { start: end - secret.length, end }
  }
}

function hitOf(view: DecodedText, { rule, label, start, end }: Found): Hit {
  return { rule, label, start: view.from(start), end: view.to(end), secret: view.text.slice(start, end) }
}

/** Values behind a name, or a word of a header, whether they are secret or not. */
function* valuesOverLines(view: DecodedText): Generator<Found & { isQuoted: boolean }> {
  const { text } = view
  for (const { start, end, isQuoted } of namedValues(text, (nameEnd) => mayGoOverLine(view, nameEnd)))
    yield { rule: "named-secret", label: "secret", start, end, isQuoted }
  for (const place of authorizations(text)) yield { ...place, isQuoted: false }
}

/** Whether a name is followed by a value that may go on in the next line. */
function mayGoOverLine({ text, seams }: DecodedText, nameEnd: number): boolean {
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
 * The end of a value that goes over the end of a line; null for a value that does not. In quotes, a value goes on to
 * the closing quote; otherwise as long as the lines begin with neither a word nor another name.
 */
function endOverLines(
  view: DecodedText,
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
    const isNumbered = /^\d{1,6}[|→]/.test(line)
    const hasOtherName = /[=:]/.test(line.replace(/=+$/, ""))
    const isOver = plainWord.test(line) || isNumbered || hasOtherName || (isWhole && isWords(line))
    if (isOver) break
    stop = next
  }
  return stop
}

function isSecretValue(value: string, isQuoted: boolean, next: string | undefined): boolean {
  const isCalled = next === "(" || next === "{" || next === "["
  if (isCalled || isCode(value)) return false
  return looksRandom(value, isQuoted ? 8 : 12) && (isQuoted || (value.match(/\d/g)?.length ?? 0) >= 2)
}

/** A form in which programs expect a secret without a name; the first group of the pattern is the secret. */
interface Form {
  /** For a quick check: a text without any of these cannot match the pattern. */
  hints: readonly string[]
  rule: string
  label: string
  pattern: RegExp
  accepts?(secret: string): boolean
}

const named = { rule: "named-secret", label: "secret" }
/** A user with a password, as programs take them. */
const pair = "[^\\s:\"'`<>$*%]{1,100}:(?!//)[^\\s\"'`<>]{3,200}"

/** The only word of an indented line, after the marks of lists and diffs. */
const indentedLine =
  "[ \\t]{0,8}\\r?\\n(?:[ \\t]{0,8}(?:[+|>│]|\\d{1,6}[:|→\\t]))?[ \\t]{1,40}[\"']?([^\\s\"'`,;<>(){}[\\]:]{3,200})[\"']?[ \\t]{0,8}(?=\\r?\\n|$)"

const forms: readonly Form[] = [
  {
    // curl -u user:password
    hints: ["curl", "wget ", "http -", "https -", "xh -"],
    rule: "user-password",
    label: "password of a user",
    pattern: new RegExp(
      `\\b(?:curl|https?|xh|wget)(?=\\s)[^\\n|;]{0,600}?\\s(?:-[a-zA-Z]{0,6}[uaU]|--user|--proxy-user|--auth)(?:[= ]\\s{0,3}|(?=["']))["']?(${pair})`,
      "dg",
    ),
    accepts: isPair,
  },
  {
    // ~/.docker/config.json, .npmrc
    hints: ["auth"],
    rule: "encoded-password",
    label: "password of a registry",
    pattern: /\b_?auth["']?\s{0,3}[:=]\s{0,3}["']?([A-Za-z0-9+/]{4,400}={0,2})(?![A-Za-z0-9+/=])/dg,
    accepts: (secret) =>
      /^[\x21-\x7e]{1,200}:[\x20-\x7e]{1,200}$/.test(Buffer.from(secret, "base64").toString("latin1")),
  },
  {
    hints: ["uthorization", "UTHORIZATION"],
    rule: "authorization",
    label: "authorization",
    pattern:
      /\bauthorization["'`]?\s{0,3}[:=,]\s{0,3}["'`]?(?:Bearer|Basic|Token|ApiKey|Digest)[ \t]{1,4}([^\s"'`,;<>(){}[\]]{3,500})/dgi,
    accepts: isValue,
  },
  {
    // Without the word that says of which kind it is (Bearer, Basic).
    hints: ["uthorization", "UTHORIZATION"],
    rule: "authorization",
    label: "authorization",
    pattern: /\bauthorization["'`]?\s{0,3}[:=,]\s{0,3}["'`]?([^\s"'`,;<>(){}[\]]{12,500})/dgi,
    accepts: (secret) => isValue(secret) && looksRandom(secret, 12),
  },
  {
    hints: ["identitytoken", "registrytoken"],
    ...named,
    pattern: /\b(?:identity|registry)token["']?\s{0,3}:\s{0,3}["']([^"'\n]{3,500})["']/dg,
    accepts: isValue,
  },
  {
    // ~/.netrc
    hints: ["login"],
    ...named,
    pattern: /\blogin\s{1,20}\S{1,100}\s{1,20}(?:account\s{1,20}\S{1,100}\s{1,20})?password\s{1,20}(\S{1,200})/dg,
    accepts: (secret) => !isHarmless(secret),
  },
  {
    // <password>…</password>
    hints: ["</"],
    ...named,
    pattern: new RegExp(
      `${namedPattern}(?:\\s[^<>\\n]{0,200})?>\\s{0,20}(?:<!\\[CDATA\\[)?([^<>{}\\s][^<>{}]{2,500}?)\\s{0,20}(?:\\]\\]>\\s{0,20})?</`,
      "dg",
    ),
    accepts: isValue,
  },
  {
    // <add key="ApiToken" value="…"/>, - name: TOKEN, value: …, ParameterKey=…,ParameterValue=…
    hints: ["alue"],
    ...named,
    pattern: new RegExp(
      `(?<=(?:[nN]ame|[kK]ey|[iI]d)["']?\\s{0,3}[=:]\\s{0,3}["']?[\\w.:-]{0,60})${namedPattern}["']?(?:[\\s,]{1,40}(?:type|secret|sensitive|enabled)["']?\\s{0,3}[=:]\\s{0,3}["']?\\w{1,20}["']?)?[\\s,]{1,40}["']?(?:Parameter)?[vV]alue["']?\\s{0,3}[=:]\\s{0,3}["']?([^\\s"'<>{}$][^"'<>{}\\n]{2,300})`,
      "dg",
    ),
    accepts: isValue,
  },
  {
    // {"value": "…", "name": "TOKEN"}
    hints: ["alue"],
    ...named,
    pattern: new RegExp(
      `(?:\\b|Parameter)[vV]alue["']?\\s{0,3}[:=]\\s{0,3}["']?([^\\s"'<>{}$,][^"'<>{}\\n]{2,300}?)["']?[\\s,]{1,40}["']?(?:Parameter)?(?:[nN]ame|[kK]ey|[iI]d)["']?\\s{0,3}[=:]\\s{0,3}["']?[\\w.:-]{0,60}?${namedPattern}`,
      "dg",
    ),
    accepts: isValue,
  },
  {
    // <key>ApiToken</key><string>…</string>
    hints: ["<key>"],
    ...named,
    pattern: new RegExp(`<key>[\\w .:-]{0,60}?${namedPattern}</key>\\s{0,40}<string>([^<>]{3,500})</string>`, "dg"),
    accepts: isValue,
  },
  {
    // | Password | … |
    hints: ["|"],
    ...named,
    pattern: new RegExp(
      `\\|[ \\t]{0,20}[*_\`]{0,3}[\\w ./-]{0,40}?${namedPattern}[*_\`]{0,3}[ \\t]{0,20}\\|[ \\t]{0,20}[*_\`]{0,3}([^\\s|\`*"'<>(){}]{3,200})[*_\`]{0,3}[ \\t]{0,20}\\|`,
      "dg",
    ),
    accepts: isMixedValue,
  },
  {
    // password: |, and the value in the next line
    hints: ["|\n", ">\n", "-\n", "+\n"],
    ...named,
    pattern: new RegExp(`${namedPattern}["']?:[ \\t]{0,8}[|>][-+\\d]{0,2}${indentedLine}`, "dg"),
    accepts: isValue,
  },
  {
    hints: [":\n", ":\r\n"],
    ...named,
    pattern: new RegExp(`${namedPattern}["']?:${indentedLine}`, "dg"),
    accepts: isMixedValue,
  },
  {
    // The password is:, and the value in a block of code
    hints: ["```"],
    ...named,
    pattern: new RegExp(
      `${namedPattern}\\*{0,3}(?: (?:for|of|to|on) [\\w.@/' -]{1,40}?)?(?: (?:is|was|are|reads))?:?\\*{0,3}[ \\t]{0,3}\\r?\\n\\s{0,4}\`\`\`[\\w-]{0,20}[ \\t]{0,3}\\r?\\n[ \\t]{0,8}([^\\s"'\`,;<>(){}[\\]]{4,200})[ \\t]{0,8}\\r?\\n`,
      "dg",
    ),
    accepts: isMixedValue,
  },
  {
    // ${PASSWORD:-…}
    hints: ["${"],
    ...named,
    pattern: new RegExp(`\\$\\{\\w{0,60}?${namedPattern}:[-=]([^\\s"'\`{}$][^"'\`{}$\\n]{2,200})\\}`, "dg"),
    accepts: isValue,
  },
  {
    // <string name="api_token">…</string>
    hints: ['name="'],
    ...named,
    pattern: new RegExp(`(?<=name="[\\w.:-]{0,60})${namedPattern}"[^<>\\n]{0,100}>([^<>{}]{3,500})</`, "dg"),
    accepts: isValue,
  },
  {
    // define('DB_PASSWORD', '…'), setenv("TOKEN", "…")
    hints: ["define(", "etenv(", "utenv(", "etItem(", "ppend(", "eader(", ".set(", ".put(", ".add("],
    ...named,
    pattern: new RegExp(
      `(?<=(?:define|[sS]et\\w{0,20}|[pP]ut\\w{0,20}|append|[hH]eader|[aA]dd\\w{0,20})\\(\\s{0,5}["'][\\w.-]{0,60})${namedPattern}["']\\s{0,3},\\s{0,5}["']([^"'\\n]{3,300})["']`,
      "dg",
    ),
    accepts: isValue,
  },
  {
    hints: ["dentified", "DENTIFIED"],
    rule: "user-password",
    label: "password of a user",
    pattern:
      /\bidentified\s{1,5}(?:with\s{1,5}\S{1,40}\s{1,5})?(?:by|as)\s{1,5}(?:password\s{1,5})?["']([^"'\n]{3,300})["']/dgi,
    accepts: (secret) => !isHarmless(secret),
  },
  {
    hints: ["sshpass", "mysql", "mariadb", "redis-cli", "login", "zip", "-pass", "ldap", "smbclient"],
    rule: "option-password",
    label: "password of a command",
    pattern: new RegExp(
      [
        "\\bsshpass\\s{1,5}-p\\s{0,3}",
        "\\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\\b[^\\n|;]{0,200}?\\s-p(?=\\S)",
        "\\bredis-cli\\b[^\\n|;]{0,200}?\\s-a\\s{1,3}",
        "\\b(?:docker|podman|buildah|helm|oc|az|nerdctl|skopeo|crane)\\b[^\\n|;]{0,60}?\\blogin\\b[^\\n|;]{0,200}?\\s-p\\s{1,3}",
        "\\b(?:unzip|zip)\\b[^\\n|;]{0,200}?\\s-P\\s{1,3}",
        "\\bldap(?:search|add|modify|passwd|whoami)\\b[^\\n|;]{0,200}?\\s-w\\s{1,3}",
        "\\bsmbclient\\b[^\\n|;]{0,200}?\\s-U\\s{0,3}[\\w\\\\.-]{1,60}%",
        "-pass(?:in|out)?\\s{1,3}pass:",
      ]
        .join("|")
        .replace(/^.*$/s, "(?:$&)[\"']?([^\\s\"'`<>$-][^\\s\"'`<>]{2,200})"),
      "dg",
    ),
    accepts: (secret) => !isHarmless(secret),
  },
  {
    hints: ["--password-stdin", "sudo", "passwd"],
    rule: "option-password",
    label: "password of a command",
    pattern:
      /\b(?:echo|printf|printf '%s(?:\\n)?')\s{1,3}(?:-n\s{1,3})?["']?(?:\w{1,40}:)?([^\s"'`$|:][^\s"'`|]{2,200})["']?\s{0,3}\|[^\n]{0,100}?(?:--password-stdin|sudo\s{1,3}-S|passwd --stdin|chpasswd)/dg,
    accepts: (secret) => !isHarmless(secret),
  },
  {
    // Who has the link may do what it was made for.
    hints: ["sig=", "ignature=", "ecurity-"],
    rule: "url-signature",
    label: "signature of a URL",
    pattern:
      /[?&](?:amp;)?(?:sig|signature|x-(?:amz|goog|oss|cos)-(?:signature|security-token))=([^&#\s"'`<>]{8,2000})/dgi,
  },
]

const hints = [...new Set(forms.flatMap((form) => form.hints))]
/** The few short hints are looked for separately, because among the others they would slow down the search. */
const shortHints = hints.filter(({ length }) => length <= 3)
const longHint = new RegExp(
  hints
    .filter(({ length }) => length > 3)
    .map(escaped)
    .join("|"),
)

/** Finds secrets by the form around them: in commands, XML and files with sign-ins. */
function* findForms(text: string): Generator<Found> {
  if (!longHint.test(text) && !shortHints.some((hint) => text.includes(hint))) return
  const hasName = mayHoldName(text)
  for (const { hints, rule, label, pattern, accepts } of forms) {
    if ((rule === named.rule && !hasName) || !hints.some((hint) => text.includes(hint))) continue
    for (const { indices } of text.matchAll(pattern)) {
      const [start, end] = indices?.[1] ?? [0, 0]
      if (accepts === undefined || accepts(text.slice(start, end))) yield { rule, label, start, end }
    }
  }
}

function isPair(secret: string): boolean {
  const [user = "", ...rest] = secret.split(":")
  const password = rest.join(":")
  return (
    !isHarmless(password) &&
    !isCode(password) &&
    !/^\d{1,5}$/.test(password) &&
    !/^(?:pass|password|pw|token|secret)$/i.test(password) &&
    !/^(?:https?|file)$/.test(user)
  )
}

function isValue(secret: string): boolean {
  return (
    !isHarmless(secret) && !isCode(secret) && !isDescription(secret) && !isProse(secret) && !/^\d{1,3}$/.test(secret)
  )
}

/** Whether a value has letters and digits and is not a version, so that it is no word. */
function isMixedValue(secret: string): boolean {
  return /\d/.test(secret) && /[A-Za-z]/.test(secret) && isValue(secret) && !isVersion(secret)
}
