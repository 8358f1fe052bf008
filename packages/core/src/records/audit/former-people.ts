import type { AuditEntry } from "../../ground/schema/index.ts"

interface Person {
  person: string
  name: string
}

/** People who left or were removed, according to the log, and did not come back; sorted by name. */
export function formerPeople(
  entries: readonly Pick<AuditEntry, "act" | "person" | "targets">[],
  members: readonly Pick<Person, "person">[],
): Person[] {
  const here = new Set(members.map(({ person }) => person))
  const gone = new Map<string, string>()
  for (const entry of entries) {
    const { person: id, name } = leaving(entry)
    // Entries are newest first, so the latest name is used.
    if (id !== undefined && !here.has(id) && !gone.has(id)) gone.set(id, name ?? id)
  }
  return [...gone].map(([person, name]) => ({ person, name })).toSorted((a, b) => a.name.localeCompare(b.name))
}

/** The person who left or was removed, according to an entry; empty for other entries. */
function leaving({ act, person, targets }: Pick<AuditEntry, "act" | "person" | "targets">): Partial<Person> {
  if (act === "person.left" && person !== null) return { person: person.id, name: person.name }
  return act === "person.removed" ? targets : {}
}
