import { isImportedPerson } from "@docket/core/imported-person"
import type { People } from "./people.ts"

/**
 * Invisible characters that are not part of a word: control and format characters, and blank letters. Joiners are kept.
 */
const unseen = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\u115F\u1160\u2800\u3164\uFFA0]/gu
/** Maximum length of a name in a sentence. Imported names are shorter, so that the label "(imported)" stays visible. */
const maxName = { here: 60, imported: 30 }

const nameless = "Someone"
const isNameless = /^Someone(?: \(imported\))?$/
const former = "Former member"

/** A user by id, or as stored in a row, with the name at that time. */
export type Named = string | { person: string; name?: string | undefined } | null | undefined

/** Prefix of the ids of API tokens. */
const tokenPrefix = "token:"

/**
 * The name of a user: "You" for the current user, the current name of a member, the last name of a former member, and
 * "Someone" without a name. API tokens have their own names. Names from an imported file are marked.
 */
export function personName(named: Named, people: People): string {
  const { person, name: storedName } = fieldsOf(named)
  if (isImportedPerson(person)) return `${lineOf(storedName ?? "", maxName.imported)} (imported)`
  if (person !== "" && person === people.me) return "You"
  if (person.startsWith(tokenPrefix)) return storedName === undefined ? "API token" : `API token: ${lineOf(storedName)}`
  const name = person === "" ? undefined : people.nameOf(person)
  return name === null && storedName === undefined ? former : lineOf(name ?? storedName ?? "")
}

/** The name of a user inside a sentence, with substitutes in lower case: "you", "a former member", "someone". */
export function personInSentence(named: Named, people: People): string {
  const name = personName(named, people)
  if (name === "You" && fieldsOf(named).person === people.me) return "you"
  if (name === former) return "a former member"
  return isNameless.test(name) ? name.replace(nameless, "someone") : name
}

/** One or two letters for a user; for the current user, from their own name. */
export function initials(named: Named, people: People): string {
  const { person, name: storedName } = fieldsOf(named)
  const called = () => (isImportedPerson(person) ? lineOf(storedName ?? "") : personName(named, people))
  const own = person !== "" && person === people.me ? people.nameOf(person) : null
  const words = (own && own !== person ? lineOf(own) : called())
    .replace(/@.*/, "")
    .split(/[\s._-]+/)
    .map((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? "")
    .filter((letter) => letter !== "")
  const last = words.length > 1 ? words.at(-1) : ""
  return `${words[0] ?? "?"}${last}`.toUpperCase()
}

/** Names as a list in words: "Ann, Bo and 3 more". */
export function namesOf(persons: readonly Named[], people: People, more = 0): string {
  const names = persons.map((person) => personName(person, people))
  const rest = more > 0 ? [`${more} more`] : []
  return new Intl.ListFormat("en").format([...names, ...rest])
}

function fieldsOf(named: Named): { person: string; name?: string | undefined } {
  return typeof named === "object" && named !== null ? named : { person: named ?? "" }
}

/** Makes any given name safe to show on a line. */
function lineOf(given: string, most = maxName.here): string {
  const name = given.replace(unseen, "").replace(/\s+/g, " ").trim()
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(name)) return nameless
  const letters = [...name]
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : name
}
