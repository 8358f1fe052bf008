/** The current user, and the names of other users. */
export interface People {
  /** Null for a visitor who is not signed in. */
  me: string | null
  /** There are no accounts: every action is the user's own. */
  alone?: true
  /** The current name; null for a former member, undefined while unknown. */
  nameOf(person: string): string | null | undefined
}

/** Without accounts, names are used as they are. */
export function withoutAccounts(me: string | null): People {
  return { me, alone: true, nameOf: (person) => person }
}
