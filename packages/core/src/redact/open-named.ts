import { findNamed, findNamedOverLines, isCode, isWords, secretNames } from "./find-named.ts"
import { lastWordAt } from "./last-word.ts"
import { unwrap } from "./unwrap.ts"
import { plainView } from "./view.ts"

/** A value behind a name, or in a URL, that the end of a text may cut off. */
export interface OpenNamed {
  /** Where what calls it a secret begins. */
  start: number
  /** Where the value itself begins; the end of the text when nothing of it is there yet. */
  secret: number
  /** So much of it stands there that it is no accident. */
  isTelling: boolean
}

/** Longest name and value that are looked for (UTF-16 units). */
const longest = 700
/** Fewest characters of a value that are no accident; of one that may be a word, so many more. */
const telling = { fewest: 4, word: 16 }

const named = new RegExp(
  `(?:${secretNames})["'\`]?\\s{0,3}(?:$|(?:=>|:=|:|=)\\s{0,3}(["'\`]?)([^\\s"'\`,;<>(){}[\\]]{0,500})$)`,
  "i",
)
const authorization = /\b(?:Bearer|Basic)(?:$|\s{1,40}()([A-Za-z0-9._~+/=-]{0,500})$)/i
const url = /[a-z][a-z0-9+.-]{1,20}:(?:\/{0,1}$|\/\/([^\s/:@"'<>{}$]{0,100})(?:$|:([^\s/:@"'<>{}$]{0,200})$))/

/** What goes on as a name with a value does, and as a URL with a password does. */
const namedOn =
  /^[\w-]+["'`]?\s{0,3}(?:=>|:=|:|=|[ \t]|$)\s{0,3}["'`]?(?:[^\s"'`,;<>(){}[\]]{4}|[^\s"'`,;<>(){}[\]]{0,3}$)/
const urlOn = /^[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>{}$]{0,100}:[^\s/:@"'<>{}$]{0,200}(?:@|$)/

/** The first value at the end of the text that something before it calls a secret; null when there is none. */
export function openNamed(text: string): OpenNamed | null {
  const offset = Math.max(0, text.length - longest)
  const tail = text.slice(offset)
  const found = [openValue(tail, named), openValue(tail, authorization), openURL(tail)].filter((open) => open !== null)
  if (found.length === 0) return null
  const secrets = found.filter(({ isTelling }) => isTelling).map(({ secret }) => secret)
  return {
    start: offset + Math.min(...found.map(({ start }) => start)),
    secret: offset + Math.min(...(secrets.length > 0 ? secrets : found.map(({ secret }) => secret))),
    isTelling: secrets.length > 0,
  }
}

/** Whether what a text ends with goes on as a secret where it meets the next one, of which this is the beginning. */
export function namedGoesOn(tail: string, next: string): boolean {
  const open = openNamed(tail)
  if (open === null) return false
  const whole = plainView(`${tail.slice(open.start)}\n${next}`)
  // Behind the line break between them.
  const border = tail.length - open.start + 1
  return unwrap(whole).some((view) => {
    if (!namedOn.test(view.text) && !urlOn.test(view.text)) return false
    // Of one that does not end here either, the rest comes still later.
    if ((openNamed(view.text)?.start ?? view.text.length) === 0) return true
    const hits = [...findNamed(whole), ...findNamedOverLines(view)]
    return hits.some(({ start, end }) => start <= border && end > border)
  })
}

function openValue(tail: string, pattern: RegExp): OpenNamed | null {
  const match = pattern.exec(tail)
  if (match === null) return null
  const [, quote = "", value = ""] = match
  const least = quote === "" && isWords(value) ? telling.word : telling.fewest
  const isTelling = value.length >= least && (quote !== "" || !isCode(value))
  return { start: match.index, secret: tail.length - value.length, isTelling }
}

function openURL(tail: string): OpenNamed | null {
  const last = lastWordAt(tail)
  const match = url.exec(tail.slice(last))
  if (match === null) return null
  const [, user = "", password] = match
  const isTelling = password !== undefined && password.length >= telling.fewest && !/^\d{1,5}$/.test(password)
  const length = user.length + (password === undefined ? 0 : password.length + 1)
  return { start: last + match.index, secret: tail.length - length, isTelling }
}
