import { DocketError } from "@docket/core"
import { accessTable, type Capability } from "@docket/core/operations"
import { type Caller, Role } from "@docket/core/schema"
import type { Identity } from "../auth/identity.ts"

/** The parts of an identity that say what it may do. */
export type Rights = Pick<Identity, "role" | "limitedTo" | "isOperator">

// The object is a constant, so its keys are known.
export const capabilities = Object.keys(accessTable) as Capability[]

const capabilitiesOf = new Map<Role, ReadonlySet<Capability>>(
  Role.options.map((role) => [
    role,
    new Set(capabilities.filter((capability) => rolesThatMay(capability).includes(role))),
  ]),
)

/** The roles that have the capability, from most to least. */
export function rolesThatMay(capability: Capability): Role[] {
  const [needs] = accessTable[capability]
  return needs === "operator" ? [] : Role.options.slice(0, Role.options.indexOf(needs) + 1)
}

/**
 * Whether somebody may do something in their workspace. A key may do what both its own list and its role allow, and may
 * always see who it is.
 */
export function may({ role, limitedTo, isOperator = false }: Rights, capability: Capability): boolean {
  if (limitedTo !== undefined && capability !== "self" && !limitedTo.includes(capability)) return false
  return capabilitiesOf.get(role)?.has(capability) === true || (isOperator && accessTable[capability][0] === "operator")
}

/** @throws forbidden, saying who may */
export function requireAccess(rights: Rights, capability: Capability): void {
  if (!may(rights, capability)) throw new DocketError("forbidden", refusalWords(rights, capability))
}

/** Requires the capability only for what belongs to somebody else. @throws forbidden */
export function requireOwn({ caller, ...rights }: Identity, by: Caller | undefined, capability: Capability): void {
  if (by?.person !== caller.person) requireAccess(rights, capability)
}

/** Why somebody may not do it, in two sentences: the role that it takes, and the role that they have. */
export function refusalWords({ role, limitedTo, isOperator }: Rights, capability: Capability): string {
  const [needs, words] = accessTable[capability]
  // The role would be enough, so the list of the key is what forbids it.
  if (may({ role, isOperator }, capability))
    return `This key is not made to ${words}. It is limited to: ${limitedTo?.join(", ") || "nothing"}.`
  if (needs === "operator") return `Only who runs the service may ${words}.`
  return `To ${words}, one has to be ${listed(rolesThatMay(capability).toReversed().map(withArticle))}. You are ${withArticle(role)}.`
}

function withArticle(role: Role): string {
  return /^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`
}
