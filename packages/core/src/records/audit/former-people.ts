import type { AuditEntry } from "../../ground/schema/index.ts"

interface Person {
  person: string
  name: string
}

/** Those whom the log knows to have left or been removed, and who did not come back, by their names. */
export function formerPeople(
  entries: readonly Pick<AuditEntry, "act" | "person" | "targets">[],
  members: readonly Pick<Person, "person">[],
): Person[] {
  const here = new Set(members.map(({ person }) => person))
  const gone = new Map<string, string>()
  for (const entry of entries) {
    const { person: id, name } = leaving(entry)
    // The last entry comes first: by that name they went.
    if (id !== undefined && !here.has(id) && !gone.has(id)) gone.set(id, name ?? id)
  }
  return [...gone].map(([person, name]) => ({ person, name })).toSorted((a, b) => a.name.localeCompare(b.name))
}

/** Of whom an entry says that they went. */
function leaving({ act, person, targets }: Pick<AuditEntry, "act" | "person" | "targets">): Partial<Person> {
  if (act === "person.left" && person !== null) return { person: person.id, name: person.name }
  return act === "person.removed" ? targets : {}
}
