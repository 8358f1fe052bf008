import type { Caller } from "./caller.ts"

/** How the ids begin of those whom an imported file names: nobody here is one of them, whoever they were there. */
const prefix = "imported:"

/** Whether somebody is known from an imported file alone. Nobody has said here that it was they. */
export function isImportedPerson(person: string): boolean {
  return person.startsWith(prefix)
}

/** The id of somebody whom an imported file names. One that was imported before stays as it is. */
export function importedPerson(person: string): string {
  return isImportedPerson(person) ? person : `${prefix}${person}`
}

/** A caller whom an imported file names: under the id of an imported person, with the name that they have there. */
export function importedCaller(caller: Caller): Caller {
  return { ...caller, person: importedPerson(caller.person) }
}
