/** Who reads, and what others are called. */
export interface People {
  /** Null for who is not signed in. */
  me: string | null
  /** Nobody has an account: whoever did something is the reader. */
  alone?: true
  /** Null for who is not here any more; undefined while nobody knows. */
  nameOf(person: string): string | null | undefined
}

/** Where nobody has an account, people are called as they are named. */
export function withoutAccounts(me: string | null): People {
  return { me, alone: true, nameOf: (person) => person }
}
