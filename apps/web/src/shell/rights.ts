import type { Capability, Me } from "@docket/client/pages"

/** Somebody with what they may do. */
export interface Rights {
  /** Empty for who is not signed in. */
  person: string
  name: string
  role: Me["role"] | null
  /** Whether others have accounts here too. */
  hasTeam: boolean
  can(capability: Capability): boolean
  /** Why not, in words for them; undefined for what they may. */
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
