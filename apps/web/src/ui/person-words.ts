import { localPerson } from "@docket/core/local-person"

/** What neither is seen nor belongs to a word: control characters, and what turns the direction of writing. */
const unseen = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu
/** Most characters of a name in a sentence. */
const maxName = 60

/** What a person is called: the reader "You", and whoever has no name "Someone". */
export function personName(person: string | null | undefined): string {
  if (person === localPerson) return "You"
  const name = (person ?? "").replace(unseen, "").replace(/\s+/g, " ").trim()
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(name)) return "Someone"
  const letters = [...name]
  return letters.length > maxName ? `${letters.slice(0, maxName - 1).join("")}…` : name
}

/** One or two letters that stand for a person. */
export function initials(person: string | null | undefined): string {
  const words = personName(person)
    .replace(/@.*/, "")
    .split(/[\s._-]+/)
    .map((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? "")
    .filter((letter) => letter !== "")
  const last = words.length > 1 ? words.at(-1) : ""
  return `${words[0] ?? "?"}${last}`.toUpperCase()
}

/** Names as a list in words: "Ann, Bo and 3 more". */
export function namesOf(people: readonly string[], more = 0): string {
  const names = people.map(personName)
  const rest = more > 0 ? [`${more} more`] : []
  return new Intl.ListFormat("en").format([...names, ...rest])
}
