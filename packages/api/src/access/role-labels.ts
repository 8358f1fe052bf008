import { accessTable, type Capability } from "@docket/core/operations"
import { Role } from "@docket/core/schema"
import { capabilities } from "./may.ts"

/** What a role may do in addition to the roles below it. */
export interface RoleLabels {
  role: Role | "operator"
  may: { capability: Capability; words: string }[]
}

/** Each role in words, from least to most. The last entry is what only people who run the service may do. */
export function roleLabels(): RoleLabels[] {
  return [...Role.options.toReversed(), "operator" as const].map((role) => ({
    role,
    may: capabilities.flatMap((capability) => {
      const [needs, words] = accessTable[capability]
      return needs === role ? [{ capability, words }] : []
    }),
  }))
}
