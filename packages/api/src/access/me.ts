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
  /** The capabilities that they lack, each with the reason in words for them. */
  refused: Partial<Record<Capability, string>>
}

export function describeMe(identity: Identity, hasTeam: boolean): Me {
  const { caller, name, role, via } = identity
  const refused = capabilities.flatMap((capability) =>
    may(identity, capability) ? [] : [[capability, refusalWords(identity, capability)]],
  )
  return { ...caller, name, role, via, hasTeam, refused: Object.fromEntries(refused) }
}
