/** How long (ms) somebody who joined has to sign in: a code of an app is looked for meanwhile. */
const lifeMs = 15 * 60_000
/** Persons who are remembered at once. */
const most = 10_000

export interface Arrivals {
  /** The person has just joined the workspace: sign-ins that they make next begin there. */
  joined(person: string, workspace: string): void
  /** Where a sign-in of the person begins that is made now; null for where they were first. */
  of(person: string): string | null
}

/** Knows for a while who has just joined where, whichever way they then sign in. */
export function createArrivals(clock: () => number): Arrivals {
  const known = new Map<string, { workspace: string; until: number }>()
  return {
    joined(person, workspace) {
      known.delete(person)
      const [oldest] = known.keys()
      if (known.size >= most && oldest !== undefined) known.delete(oldest)
      known.set(person, { workspace, until: clock() + lifeMs })
    },
    of(person) {
      const found = known.get(person)
      return found !== undefined && found.until > clock() ? found.workspace : null
    },
  }
}
