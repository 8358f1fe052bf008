import { flatten } from "./flatten.ts"
import { isCode, isHarmless } from "./harmless-values.ts"
import { openNamed } from "./open-named.ts"

/** A place in the text behind. */
export interface Rest {
  start: number
  end: number
}

const firstWord =
  /^(\s{0,4}(?:(?:```|~~~)[\w-]{0,20}[ \t]{0,8}\r?\n)?[ \t]{0,8}["'`*_]{0,3})([^\s"'`,;<>(){}[\]]{4,500})/
/** What a text ends with that says what comes next: not a name alone. */
const announces =
  /(?:[:=]["'`*_]{0,3}|[ *](?:is|was|are|were|will be|equals|reads|says|changed to|set to|now|still|called):?)\s{0,3}$/
/** Fewest characters of a value of which nothing stands before. */
const fewest = 6

/**
 * What a text begins with that is the value of a name, or the rest of one, with which another text ends. Nothing but the
 * two together says so, so it has to be what nobody writes as a word.
 */
export function restBehind(tail: string, next: string): Rest | null {
  const [, lead = "", found = ""] = firstWord.exec(next) ?? []
  const word = found.replace(/[.:!?*]+$/, "")
  if (!/\d/.test(word) || !/[A-Za-z]/.test(word) || isHarmless(word) || isCode(word)) return null
  const { text } = flatten(tail)
  const open = openNamed(text)
  if (open === null) return null
  const goesOn = open.secret < text.length ? open.isTelling && lead === "" : announces.test(text)
  return goesOn && (open.secret < text.length || word.length >= fewest)
    ? { start: lead.length, end: lead.length + word.length }
    : null
}
