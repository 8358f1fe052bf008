import { DocketError } from "../ground/error/docket-error.ts"

/** Keeps what people start from outliving their place in the workspace. */
export interface MembershipGuard {
  /** Does what somebody asked for while they belong to the workspace. @throws role_forbidden */
  whileMember<T>(person: string, act: () => Promise<T>): Promise<T>
  /** Resolves when all that somebody had begun has ended: what they begin later is refused once they are out. */
  settled(person: string): Promise<void>
}

/**
 * Who calls was looked at when the request came, which may be before they were removed. Acts are counted first and then
 * asked for their person's place: one that is not awaited by `settled` finds the person gone.
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
