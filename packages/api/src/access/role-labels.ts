import { accessTable, type Capability } from "@docket/core/operations"
import { Role } from "@docket/core/schema"
import { capabilities } from "./may.ts"

/** What a role may, beyond what the roles below it may. */
export interface RoleLabels {
  role: Role | "operator"
  may: { capability: Capability; words: string }[]
}

/** Each role in words, from least to most; last, what only who runs the service may. */
export function roleLabels(): RoleLabels[] {
  return [...Role.options.toReversed(), "operator" as const].map((role) => ({
    role,
    may: capabilities.flatMap((capability) => {
      const [needs, words] = accessTable[capability]
      return needs === role ? [{ capability, words }] : []
    }),
  }))
}
