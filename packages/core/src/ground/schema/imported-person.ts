import type { Caller } from "./caller.ts"

/** The prefix of the ids of people from an imported file: they are never the same as a person of this service. */
const prefix = "imported:"

/** Whether a person is known only from an imported file, so that nobody here has confirmed who they are. */
export function isImportedPerson(person: string): boolean {
  return person.startsWith(prefix)
}

/** The id of a person from an imported file. An id that already has the prefix stays unchanged. */
export function importedPerson(person: string): string {
  return isImportedPerson(person) ? person : `${prefix}${person}`
}

/** A caller from an imported file: with the id of an imported person and the name from the file. */
export function importedCaller(caller: Caller): Caller {
  return { ...caller, person: importedPerson(caller.person) }
}
