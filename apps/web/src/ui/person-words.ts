import type { People } from "./people.ts"

/** What neither is seen nor belongs to a word: control characters, and what turns the direction of writing. */
const unseen = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu
/** Most characters of a name in a sentence. */
const maxName = 60

type Named = string | null | undefined

/** What a person is called: the reader "You", who is gone "Former member", and whoever has no name "Someone". */
export function personName(person: Named, people: People): string {
  if (person && person === people.me) return "You"
  const name = person ? people.nameOf(person) : undefined
  return name === null ? "Former member" : lineOf(name ?? "")
}

/** One or two letters that stand for a person; for the reader, those of their name. */
export function initials(person: Named, people: People): string {
  const own = person && person === people.me ? people.nameOf(person) : null
  const words = (own && own !== person ? lineOf(own) : personName(person, people))
    .replace(/@.*/, "")
    .split(/[\s._-]+/)
    .map((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? "")
    .filter((letter) => letter !== "")
  const last = words.length > 1 ? words.at(-1) : ""
  return `${words[0] ?? "?"}${last}`.toUpperCase()
}

/** Names as a list in words: "Ann, Bo and 3 more". */
export function namesOf(persons: readonly string[], people: People, more = 0): string {
  const names = persons.map((person) => personName(person, people))
  const rest = more > 0 ? [`${more} more`] : []
  return new Intl.ListFormat("en").format([...names, ...rest])
}

/** A name, whatever it is made of, as part of a line. */
function lineOf(given: string): string {
  const name = given.replace(unseen, "").replace(/\s+/g, " ").trim()
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(name)) return "Someone"
  const letters = [...name]
  return letters.length > maxName ? `${letters.slice(0, maxName - 1).join("")}…` : name
}
