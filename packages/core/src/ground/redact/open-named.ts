import { undecoded, unwrap } from "./decoded-text.ts"
import { findNamed, findNamedOverLines } from "./find-named.ts"
import { isCode, isHarmless, isProse, isWords, mayBeDescription } from "./harmless-values.ts"
import { namedValues, separatorBehind } from "./named-values.ts"
import { isPasswordName, namedPattern } from "./secret-names.ts"

/** A value behind a name, or in a URL, that the end of a text may cut off. */
interface OpenNamed {
  /** Where the name or URL that makes it a secret begins. */
  start: number
  /** Where the value itself begins; the end of the text when the value has not begun. */
  secret: number
  /** Enough of the value is there to be no coincidence. */
  isCertain: boolean
}

/** Longest name with its value that is searched for (UTF-16 units). */
const longest = 700
/** Fewest characters of a value that are no coincidence: of any value, and of one that may be a word. */
const certainLength = { fewest: 4, word: 16 }

const names = new RegExp(namedPattern, "g")
/** The characters that may follow a name at the end of a text. */
const nothing = /^["'`]?\]?\s{0,3}$/
/** The text behind a name that announces a value. */
const announced =
  /^(?: (?:for|of|to|on) [\w.@/' -]{1,40}?)?(?: (?:is|was|are|were|will be|equals|reads|says|changed to|set to|now))(?: (?:now|still|just|set to|called))?:?\s{0,3}$/
const inQuotes = /^["'`“][^"'`”\n]{0,500}$/
const bare = /^[^\s"'`,;<>(){}[\]]{0,500}$/
/** The first words of a passphrase. */
const phrase = /^[\p{Ll}\d]+(?:[ -][\p{Ll}\d]+){0,7} ?$/u
const argument = /^[ \t][^\s-][^\s"'`]{0,200}$/
const authorization = /\b(?:Bearer|Basic)(?:$|\s{1,40}()([A-Za-z0-9._~+/=-]{0,500})$)/i
const url = /[a-z][a-z0-9+.-]{1,20}:(?:\/{0,1}$|\/\/([^\s/:@"'<>{}$]{0,100})(?:$|:([^\s/:@"'<>{}$]{0,200})$))/

/** Patterns for a name with its value, and for a URL with a password. */
const namedOn =
  /^[\w-]+["'`]?\s{0,3}(?:=>|:=|:|=|[ \t]|$)\s{0,3}["'`]?(?:[^\s"'`,;<>(){}[\]]{4}|[^\s"'`,;<>(){}[\]]{0,3}$)/
const urlOn = /^[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>{}$]{0,100}:[^\s/:@"'<>{}$]{0,200}(?:@|$)/

/** The first value at the end of the text whose name or URL says that it is a secret; null when there is none. */
export function openNamed(text: string): OpenNamed | null {
  const offset = Math.max(0, text.length - longest)
  const tail = text.slice(offset)
  const found = [...openValues(tail), openHeader(tail), openURL(tail)].filter((open) => open !== null)
  if (found.length === 0) return null
  const secrets = found.filter(({ isCertain }) => isCertain).map(({ secret }) => secret)
  return {
    start: offset + Math.min(...found.map(({ start }) => start)),
    secret: offset + Math.min(...(secrets.length > 0 ? secrets : found.map(({ secret }) => secret))),
    isCertain: secrets.length > 0,
  }
}

/** Incomplete secrets that have a form but no prefix, as soon as they can be nothing else. */
const shaped = /(?<!\w)(?:\d{8,10}:AA[\w-]{4,34}|[MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{1,38})$/

/** Where such a secret begins that the end of the text may cut off; the length of the text when there is none. */
export function openShaped(text: string): number {
  const tail = Math.max(0, text.length - 100)
  const match = shaped.exec(text.slice(tail))
  return match === null ? text.length : tail + match.index
}

/** Whether a secret goes over from the end of one text (`tail`) to the beginning of the next. */
export function namedGoesOn(tail: string, next: string): boolean {
  const open = openNamed(tail)
  if (open === null) return false
  const whole = undecoded(`${tail.slice(open.start)}\n${next}`)
  // Where the second text begins: behind the line break.
  const border = tail.length - open.start + 1
  return unwrap(whole).some((view) => {
    if (!namedOn.test(view.text) && !urlOn.test(view.text)) return false
    // When the value is not complete here either, its rest comes later still.
    if ((openNamed(view.text)?.start ?? view.text.length) === 0) return true
    const hits = [...findNamed(whole), ...findNamedOverLines(view)]
    return hits.some(({ start, end }) => start <= border && end > border)
  })
}

/** Values behind names that reach to the end of the text. */
function openValues(tail: string): OpenNamed[] {
  const found: OpenNamed[] = []
  for (const { index: start, 0: name } of tail.matchAll(names)) {
    const end = start + name.length
    const behind = tail.slice(end)
    if (nothing.test(behind) || announced.test(behind)) found.push({ start, secret: tail.length, isCertain: false })
    const separator = separatorBehind(tail, end)
    const value = tail.slice(end + (separator?.length ?? 0))
    if (separator === null) {
      const isArgument = tail[start - 1] === "-" && argument.test(value)
      if (isArgument) found.push({ start, secret: end + 1, isCertain: isCertain(value.slice(1)) })
    } else if (inQuotes.test(value)) {
      found.push({ start, secret: tail.length - value.length + 1, isCertain: isCertain(value.slice(1)) })
    } else if (bare.test(value)) {
      found.push({ start, secret: tail.length - value.length, isCertain: isCertainBare(tail, value) })
    } else if (phrase.test(value) && isPasswordName(name) && separator.includes(":")) {
      found.push({ start, secret: tail.length - value.length, isCertain: false })
    }
  }
  return found
}

function isCertain(value: string): boolean {
  return (
    value.length >= certainLength.fewest &&
    !isCode(value) &&
    !isHarmless(value) &&
    !isProse(value) &&
    !mayBeDescription(value)
  )
}

/** Whether a value without quotes is more than a word of a sentence, or the beginning of a word. */
function isCertainBare(tail: string, value: string): boolean {
  if (value.length < certainLength.fewest || isCode(value)) return false
  if (!isWords(value)) return !isHarmless(value)
  if (value.length >= certainLength.word) return true
  const isValue = namedValues(tail).some(({ end, isSecret }) => end === tail.length && isSecret)
  return isValue && !mayBeDescription(value)
}

function openHeader(tail: string): OpenNamed | null {
  const match = authorization.exec(tail)
  if (match === null) return null
  const [, , value = ""] = match
  const isCertain = value.length >= (isWords(value) ? certainLength.word : certainLength.fewest) && !isCode(value)
  return { start: match.index, secret: tail.length - value.length, isCertain }
}

function openURL(tail: string): OpenNamed | null {
  const last = lastWordAt(tail)
  const match = url.exec(tail.slice(last))
  if (match === null) return null
  const [, user = "", password] = match
  const isCertain = password !== undefined && password.length >= certainLength.fewest && !/^\d{1,5}$/.test(password)
  const length = user.length + (password === undefined ? 0 : password.length + 1)
  return { start: last + match.index, secret: tail.length - length, isCertain }
}

/** How much of an endless word, such as base64, is read (UTF-16 units). */
const longestWord = 400

/** Where the last word of a text begins; its length when it ends with a space. */
export function lastWordAt(text: string): number {
  let start = text.length
  while (start > 0 && text.length - start < longestWord && !/\s/.test(text[start - 1] ?? "")) start -= 1
  return start
}
