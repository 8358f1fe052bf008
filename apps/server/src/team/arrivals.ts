/** How long (ms) a new member may take to sign in, e.g. to find a code of their app. */
const lifeMs = 15 * 60_000
/** Maximum number of users that are remembered. */
const most = 10_000

export interface Arrivals {
  /** The user has just joined the workspace: their next sign-ins start there. */
  joined(person: string, workspace: string): void
  /** The workspace in which a sign-in of the user starts now; null for their first one. */
  of(person: string): string | null
}

/** Remembers for a while which workspace a user has just joined, whichever way they then sign in. */
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
