import type { Capability, Me } from "@docket/client/pages"

/** The current user and their rights. */
export interface Rights {
  /** Empty without a sign-in. */
  person: string
  name: string
  role: Me["role"] | null
  /** Whether other users have accounts. */
  hasTeam: boolean
  can(capability: Capability): boolean
  /** Why the user may not, in words for them; undefined if they may. */
  whyNot(capability: Capability): string | undefined
}

export function rightsOf(me: Me | null): Rights {
  if (me === null) {
    const words = "Docket does not know yet who you are."
    return { person: "", name: "", role: null, hasTeam: false, can: () => false, whyNot: () => words }
  }
  const { person, name, role, hasTeam, refused } = me
  const whyNot = (capability: Capability) => refused[capability]
  return { person, name, role, hasTeam, can: (capability) => whyNot(capability) === undefined, whyNot }
}
