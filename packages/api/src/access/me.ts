import type { Capability } from "@docket/core/operations"
import type { Role } from "@docket/core/schema"
import type { Identity } from "../auth/identity.ts"
import { capabilities, may, refusalWords } from "./may.ts"

/** Who the caller is, as a client needs to know. */
export interface Me {
  person: string
  name: string
  workspace: string
  role: Role
  via: Identity["via"]
  /** Whether others have accounts here too. */
  hasTeam: boolean
  /** What they may not do, and why not in words for them. What is not named they may. */
  refused: Partial<Record<Capability, string>>
}

export function describeMe(identity: Identity, hasTeam: boolean): Me {
  const { caller, name, role, via } = identity
  const refused = capabilities.flatMap((capability) =>
    may(identity, capability) ? [] : [[capability, refusalWords(identity, capability)]],
  )
  return { ...caller, name, role, via, hasTeam, refused: Object.fromEntries(refused) }
}
