import { entropy, isCode, isExpression, isHarmless, isProse } from "./harmless-values.ts"
import { isPasswordName, isPasswordWord, namedPattern } from "./secret-names.ts"

/** A value whose name says that it is a secret. */
interface NamedValue {
  start: number
  end: number
  /** Whether the value is a secret, judged by everything around it. A value over several lines is judged again. */
  isSecret: boolean
  isQuoted: boolean
}

/** Longest value (UTF-16 units). */
const longest = 500
/** How much of a line around a name is read to judge its value (UTF-16 units). */
const around = 120

const names = new RegExp(namedPattern, "g")
const hasName = new RegExp(namedPattern)
/** Marks of Markdown and HTML: behind a name, behind a name with its colon, and before a value. */
const markup = {
  closes: "(?:\\*{1,3}|_{1,3}|~~|</[a-z]{1,10}>)?",
  closesLate: "(?:(?:\\*{1,3}|_{1,3})(?=\\s|$)|</[a-z]{1,10}>)?",
  opens: "(?:<(?:code|kbd|tt|b|i|em|strong|span)>|\\*\\*(?=[^\\s*]))?",
}
const separatorOf = (blank: string) =>
  new RegExp(
    `["'\`]?\\]?[?!]?${markup.closes}${blank}(?:=>|:=|={1,3}|:(?!:))${markup.closesLate}${blank}${markup.opens}`,
    "y",
  )
const assignment = separatorOf("[ \\t]{0,8}")
const separatorOverLine = separatorOf("\\s{0,3}")
/** A type and `=` before a value in quotes: `token: string = "…"`. */
const typeThen = /[A-Za-z_][\w.<>|[\] ?]{0,40}?[ \t]{0,3}=[ \t]{0,3}(?=[bfruBFRU@$L]{0,2}["'`])/y
/** The white space between an option, or the name in a command, and its value. */
const option = /[ \t](?![ \t-])/y
/** Commands that set a variable or a setting whose name comes next. */
const settingCommand =
  /(?:^|\s)(?:(?:ENV|ARG|setx|setenv|set -[a-zA-Z]{1,4}|set-secret|secret set)\s|(?:npm|pnpm|yarn) config set \S{0,100}|configure set (?:--profile \S{1,40} )?\S{0,80}|git config (?:--[\w-]{1,20} ){0,3}\S{0,60})$/
const quotedNext = /[ \t]{1,3}(?=["'])/y
/** The words of a sentence between a name and its value: "the password for the database is …". */
const spoken =
  /(?: (?:for|of|to|on) [\w.@/' -]{1,40}?)?(?: (?:is|was|are|were|will be|equals|reads|says|changed to|set to|now))(?: (?:now|still|just|set to|called))?:?[ \t]/y
const quote = /[bfruBFRU@$L]{0,2}("""|'''|["'`“])/y
const bare = /[^\s"'`,;<>(){}[\]]{1,500}/y
/** A value without quotes in a file of settings, which ends at white space, a semicolon or a quote. */
const settingBare = /[^\s;"'`]{1,500}/y
const word = /[^\s"'`,;<>(){}[\]]{1,200}/y

/** Whether the text may contain a name that calls its value a secret. */
export function mayHoldName(text: string): boolean {
  return hasName.test(text)
}

/**
 * Every value behind a name that calls it a secret, in the order of the names; `isChosen` can limit the names.
 */
export function* namedValues(text: string, isChosen = (_nameEnd: number) => true): Generator<NamedValue> {
  if (!mayHoldName(text)) return
  for (const { index, 0: found } of text.matchAll(names)) {
    const end = index + found.length
    const value = isChosen(end) ? valueBehind(text, { index, end }) : null
    if (value !== null) yield value
  }
}

/** The characters with which the text between a name and its value can begin. */
const behindName = "\"'`]?!:= \t*_~<"
/** A word behind a name after which a sentence may tell the value. */
const sayingWord = / (?:for|of|to|on|is|was|are|were|will|equals|reads|says|changed|set|now) /y

/** Whether a match is only a word of a sentence, as most matches are. */
function isMereWord(text: string, { index, end }: { index: number; end: number }): boolean {
  const next = text[end]
  if (next === undefined || !behindName.includes(next)) return true
  if (next !== " " || !/[a-z]/.test(text[index] ?? "") || !/\s/.test(text[index - 1] ?? " ")) return false
  const mayHaveValue =
    isPasswordName(text.slice(index, end)) ||
    /[:=]/.test(text.slice(end, end + 9)) ||
    match(sayingWord, text, end) !== null
  return !mayHaveValue
}

function valueBehind(text: string, name: { index: number; end: number }): NamedValue | null {
  if (isMereWord(text, name)) return null
  const idStart = beginOfName(text, name.index)
  const near = text.slice(Math.max(0, idStart - around), idStart)
  const place = { name: text.slice(idStart, name.end), before: near.slice(near.lastIndexOf("\n") + 1) }
  const separator = match(assignment, text, name.end)
  if (separator !== null) {
    const isRoute = place.before.endsWith("/")
    // The message or the default of a shell when a variable has no value.
    const isShellDefault = /^\{[^}]*:[-?+=]/.test(text.slice(idStart - 1, name.end + 2))
    return isRoute || isShellDefault ? null : assigned(text, name.end + separator.length, { ...place, separator })
  }
  const isOption = /^--?[A-Za-z][\w-]*$/.test(place.name)
  const blank = isOption ? match(option, text, name.end) : null
  if (blank !== null) return optionValue(text, name.end + blank.length, { ...place, separator: "--" })
  const command = settingCommand.test(place.before) ? match(option, text, name.end) : null
  if (command !== null) return optionValue(text, name.end + command.length, { ...place, separator: "--" })
  const open = isPasswordWord(place.name) ? match(quotedNext, text, name.end) : null
  if (open !== null) return quoted(text, name.end + open.length, { ...place, separator: " " })
  const verb = match(spoken, text, name.end)
  if (verb !== null) return toldValue(text, name.end + verb.length, { ...place, separator: "is" })
  return isPasswordName(place.name) && text[name.end] === " " ? valueRightBehind(text, name.end + 1) : null
}

/** A value behind `:` or `=`. */
function assigned(text: string, from: number, place: Omit<Place, "next">): NamedValue | null {
  if (/[\r\n]/.test(text[from] ?? "")) return null
  const type = place.separator.includes(":") ? match(typeThen, text, from) : null
  const start = from + (type?.length ?? 0)
  const inQuotes = quoted(text, start, place)
  if (inQuotes !== null) return inQuotes
  const isSetting = isSettingLine(place)
  const isURL = place.separator === "=" && /[?&](?:amp;)?$/.test(place.before)
  const found = endOfQuery(match(isSetting ? settingBare : bare, text, start) ?? "", isURL)
  const value = place.separator.endsWith("**") ? found.replace(/\*\*.*$/, "") : found
  const end = start + value.length
  const full = { ...place, next: text.slice(end, end + around) }
  const rest = isSetting ? null : phraseAt(text, start, full)
  if (rest !== null) return { start, end: start + rest.length, isSecret: true, isQuoted: false }
  return { start, end, isSecret: isSecretBare(value, full, isSetting || isURL), isQuoted: false }
}

/** `NAME=value` as the beginning of a line, or of a command. */
function isSettingLine({ name, before, separator }: Omit<Place, "next">): boolean {
  return (
    separator === "=" &&
    /^(?:.*(?:\s|^))?(?:[-+#>|$]?\s*(?:export\s+|set\s+|env\s+|-e\s+)?)$/.test(before) &&
    /^[A-Z][A-Z0-9_]*$/.test(name)
  )
}

/** A value behind an option of a command. */
function optionValue(text: string, from: number, place: Omit<Place, "next">): NamedValue | null {
  const inQuotes = quoted(text, from, place)
  if (inQuotes !== null) return inQuotes
  const value = match(word, text, from) ?? ""
  const bareValue = value.replace(/[.:]+$/, "")
  if (bareValue.length < fewest) return null
  const isSecret = !isHarmless(bareValue) && !isUpperName(bareValue) && !/^[$-]/.test(bareValue)
  return { start: from, end: from + bareValue.length, isSecret, isQuoted: false }
}

/** Whether a value is a placeholder in capitals such as `PASSWORD`, as manuals write it. */
function isUpperName(value: string): boolean {
  return /^[A-Z][A-Z_-]*$/.test(value) && value.length <= 24
}

function quoted(text: string, from: number, place: Omit<Place, "next">): NamedValue | null {
  const open = match(quote, text, from)
  if (open === null) return null
  const start = from + open.length
  // A shell runs what stands there.
  if (place.separator === "=" && open === "`") return { start, end: start, isSecret: false, isQuoted: true }
  if (/("""|''')$/.test(open)) return inThreeQuotes(text, start, place)
  const closingQuote = open.at(-1) === "“" ? "”" : (open.at(-1) ?? "")
  const ahead = text.slice(start, start + longest)
  const length = ahead.indexOf(closingQuote)
  const close = start + length
  const line = ahead.indexOf("\n")
  const isClosed = length >= 0 && (line < 0 || length < line)
  if (!isClosed) {
    const value = match(bare, text, start) ?? ""
    const isSecret = value.length >= fewest && !isHarmless(value) && !isCode(value)
    return { start, end: start + value.length, isSecret, isQuoted: true }
  }
  const value = text.slice(start, close)
  return {
    start,
    end: close,
    isSecret: isSecretQuoted(value, text.slice(close + 1, close + 40), place),
    isQuoted: true,
  }
}

/** A value between three quotes, on one line. */
function inThreeQuotes(text: string, from: number, place: Omit<Place, "next">): NamedValue {
  const ahead = text.slice(from, from + longest)
  const length = ahead.indexOf(text.slice(from - 3, from))
  const value = ahead.slice(0, Math.max(length, 0)).trim()
  const start = from + ahead.indexOf(value)
  const isSecret = !value.includes("\n") && isSecretQuoted(value, "", place)
  return { start, end: start + value.length, isSecret, isQuoted: true }
}

function isSecretQuoted(value: string, next: string, { name, separator }: Omit<Place, "next">): boolean {
  if (value.trim().length < fewest || /^[[{(]/.test(value) || /\$\{|\{\{|<%|#\{|%[sd]\b/.test(value) || isCode(value))
    return false
  // A type lists its values: `"a" | "b"`.
  if (/^[ \t]*\|(?!\|)|^\s{1,30}\|\s?["'`]/.test(next)) return false
  // A table of names: "password": "password".
  if (isHarmless(value) || value.toLowerCase() === name.toLowerCase()) return false
  // A colour of a design: `blue.500`.
  if (/^[a-z]+(?:\.[a-z]+)*\.\d{2,3}$/.test(value) && !isPasswordName(name)) return false
  if (isProse(value) || (separator === " " && /^\s*[:=]/.test(next))) return false
  return !/^\d+$/.test(value) || isPasswordName(name)
}

/** A passphrase: several words up to the end of the line that are no sentence. */
function phraseAt(text: string, start: number, { name, before, separator }: Place): string | null {
  if (!separator.includes(":") || !isPasswordName(name) || !/^[\s\-#>|+*]*$/.test(before)) return null
  const line = /^[^\n]*/.exec(text.slice(start, start + longest))?.[0].trimEnd() ?? ""
  return /^[\p{Ll}\d]+(?:[ -][\p{Ll}\d]+){2,7}$/u.test(line) && !isProse(line) ? line : null
}

/** The value without the rest of the query of a URL. */
function endOfQuery(value: string, isURL: boolean): string {
  const end = isURL ? value.search(/[&#]/) : value.search(/&(?:amp;)?[\w.%[\]-]{1,60}=/)
  return end < 0 ? value : value.slice(0, end)
}

const verbOrAdjective = /(?:ed|ing|ly|able|ible|ory|al|ive|ous|ful|less|ic|ent|ant|ary|th|'s)$/i

/** A value that a sentence tells: "the password is …". */
function toldValue(text: string, from: number, place: Omit<Place, "next">): NamedValue | null {
  const inQuotes = quoted(text, from, place)
  if (inQuotes !== null) return inQuotes
  const value = (match(word, text, from) ?? "").replace(/[.:!?]+$/, "")
  if (value.length < fewest || isHarmless(value) || isCode(value)) return null
  const next = text.slice(from + value.length, from + value.length + 20)
  if (/^[([{=]/.test(next)) return null
  const isWord = !isStrong(value) && !/^\d+$/.test(value)
  const isSecret = isWord
    ? isPasswordName(place.name) &&
      !verbOrAdjective.test(value) &&
      /^(?:\s*$|[.,;!?)]|\s+(?:and|but|for|on|at|so|now)\b|\s*\n)/.test(next)
    : /^\d+$/.test(value)
      ? isPasswordName(place.name) && value.length >= 4
      : value.length >= 4
  return { start: from, end: from + value.length, isSecret, isQuoted: false }
}

const technique =
  /^(?:sha|md|base|utf|argon|oauth|http|ipv|es|rs|hs|ps|ed|pkcs|aes|rsa|ec|v|x|p|win|web|python|node|level|step|rule)-?\d/i

/** A value right behind the word: "with password hunter2". */
function valueRightBehind(text: string, from: number): NamedValue | null {
  const value = (match(word, text, from) ?? "").replace(/[.:!?]+$/, "")
  const isMixed = /[A-Za-z]/.test(value) && /\d/.test(value) && value.length >= 5
  if (!isMixed || technique.test(value) || isHarmless(value) || isCode(value)) return null
  if (/^[([{=:]/.test(text.slice(from + value.length))) return null
  return { start: from, end: from + value.length, isSecret: true, isQuoted: false }
}

/** The beginning of the whole name whose end was matched: `db.user_password`, `--api-token`, `data["password"]`. */
function beginOfName(text: string, index: number): number {
  let start = index
  while (start > 0 && index - start < 80 && /[\w.$@-]/.test(text[start - 1] ?? "")) start -= 1
  return start
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}

/** The text between a name that ends at `at` and its value, which may be in the next line; null when none fits. */
export function separatorBehind(text: string, at: number): string | null {
  return match(separatorOverLine, text, at)
}

/** The text around a value. */
interface Place {
  name: string
  /** The text of the line before the name. */
  before: string
  /** The text behind the value. */
  next: string
  /** The text between name and value. */
  separator: string
}

/** Fewest characters of a value: a shorter one is a letter of a formula. */
const fewest = 3

const lineOfCode =
  /(?:^|[;{(])\s*(?:const|let|var|val|final|static|readonly|private|protected|public|return|if|else|for|while|case|await|new|import|export (?:const|let|function|type|class|default|interface|async)|def|func|fn|function|type|interface|class|struct|throw|yield)\b|=>/
/** Objects whose members are variables of a program. */
const ownMember =
  /^(?:this|self|cls|req|res|request|response|ctx|context|user|state|opts|options|params|props|data|obj|body|event|args|process|module|exports|window|document|it|row|result|item|node|input|form|values|account|client|session|store|auth|env)\.|^\./

/** Whether a value without quotes is a secret, judged by its form and place. */
function isSecretBare(value: string, place: Place, isSetting: boolean): boolean {
  if (value.length < fewest || isPlaceholder(value, place, isSetting)) return false
  // In a setting, `a.b` is a value and no member of a variable.
  const isCodeHere = isCode(value) && (!isSetting || /^[$%*<]|^process\./.test(value))
  if (/^[([{]/.test(place.next) || isExpression(value) || isCodeHere) return false
  if (isNameOfKind(value, place)) return false
  if (/^\d+$/.test(value)) return value.length >= 4 && isPasswordName(place.name) && !/^pass$/i.test(place.name)
  return isStrong(value) ? isStrongSecret(value, place, isSetting) : isSetting || isWordSecret(value, place)
}

function isPlaceholder(value: string, place: Place, isSetting: boolean): boolean {
  const bareValue = value.replace(/[.,:;!?]+$/, "")
  if (bareValue.toLowerCase() === place.name.toLowerCase()) return true
  if (!isSetting) return isHarmless(bareValue)
  // The value of a setting is taken literally: only a name in capitals stands for another value.
  return (
    isHarmless(bareValue) &&
    (!/^[a-z0-9]+(?:-[a-z0-9]+)+$|_/.test(bareValue) ||
      /^(?:your|change|insert|replace)/i.test(bareValue) ||
      /^[A-Z_]+$/.test(bareValue))
  )
}

/** Whether a value is no word: it has letters with digits or signs. */
function isStrong(value: string): boolean {
  return /[A-Za-z]/.test(value) && (/\d/.test(value) || /[!@#$%^&*+~?|\\/=]/.test(value.replace(/[!?]+$/, "")))
}

/** Whether the name is a term of a grammar (`token: IDENT`) or of a style sheet (`--color-token: blue`). */
function isNameOfKind(value: string, { name, separator }: Place): boolean {
  if (!separator.includes(":") || isPasswordName(name)) return false
  return name.startsWith("--") || (/^[a-z]/.test(name) && /^[A-Z][A-Z_]*$/.test(value))
}

/** The text before a name in the same string, when the name is in a string. */
function withinString(before: string, separator: string): string {
  const isInside = !separator.startsWith('"') && before.split('"').length % 2 === 0
  return isInside ? before.slice(before.lastIndexOf('"') + 1) : before
}

function isStrongSecret(value: string, { next, separator, ...place }: Place, isSetting: boolean): boolean {
  if (isSetting) return true
  const before = withinString(place.before, separator)
  const isIdentifier = /^[A-Za-z_$][\w$]*[!?]?$/.test(value)
  const isInCode =
    lineOfCode.test(before) ||
    /^\s*(?:[;)}\]]|,\s*$|&&|\|\||\?|=>|\+)/.test(next) ||
    /[({]/.test(before) ||
    separator.includes(":=")
  if (!isIdentifier || !isInCode) return true
  return value.length >= 12 && (value.match(/\d/g)?.length ?? 0) >= 2 && entropy(value) >= 3
}

/** Whether a word is a secret because it stands where settings have values and variables do not occur. */
function isWordSecret(value: string, { name, before, next, separator }: Place): boolean {
  if (separator.includes("=>") || /={2,}|:=/.test(separator)) return false
  if (lineOfCode.test(before) || ownMember.test(name) || /^[@$]/.test(name)) return false
  const isTight = separator === "="
  const isCamel = /[a-z][A-Z]/.test(value)
  const isArgument = /\([^)]*$/.test(before) && !isPasswordName(name)
  if (isTight) return !isCamel && !isArgument
  if (/^[A-Z][a-z]/.test(value) && !/^[A-Z][a-z]/.test(name)) return false
  const isAlone = /^[\s\-#>|+*"']*$/.test(before)
  const endsLine = /^\.?\s*(?:$|\r?\n|\s#|\s\/\/)/.test(next)
  if (isCamel || /_/.test(value)) return false
  if (separator.includes("=")) return isAlone && endsLine
  return endsLine && (isAlone || isPasswordName(name))
}
