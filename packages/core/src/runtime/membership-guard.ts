import { DocketError } from "../ground/error/docket-error.ts"

/** Refuses acts of people who are no longer members, and lets a removal wait for acts that are running. */
export interface MembershipGuard {
  /** @throws role_forbidden when the person is not a member */
  whileMember<T>(person: string, act: () => Promise<T>): Promise<T>
  /** Resolves when the acts of this person that are running now have ended. */
  settled(person: string): Promise<void>
}

/**
 * The person may be removed after their request was accepted. So an act is registered first and checked second: an act
 * that `settled` does not wait for finds that the person is no longer a member.
 */
export function createMembershipGuard(isMember: (person: string) => Promise<boolean>): MembershipGuard {
  const running = new Map<string, Set<Promise<unknown>>>()
  const checked = async <T>(person: string, act: () => Promise<T>): Promise<T> => {
    if (await isMember(person)) return act()
    throw new DocketError("role_forbidden", "You do not belong to this workspace any more, so nothing was done.")
  }
  return {
    async whileMember(person, act) {
      const acts = running.get(person) ?? new Set()
      running.set(person, acts)
      const work = checked(person, act)
      acts.add(work)
      try {
        return await work
      } finally {
        acts.delete(work)
        if (acts.size === 0) running.delete(person)
      }
    },
    async settled(person) {
      await Promise.allSettled(running.get(person) ?? [])
    },
  }
}
