import type { ProgramKey, RoleWords } from "@docket/client/pages"
import type { Role } from "@docket/core/schema"
import { formatDay } from "../../../../../ui/format.ts"
import { roleName, roles } from "../role-choice.ts"

/** What a key of a role can be limited to. To ask who it is it may always; accounts of people no key touches. */
export function limitableTo(words: readonly RoleWords[], role: Role): RoleWords["may"] {
  const least = roles.indexOf(role)
  return words
    .filter((group) => group.role !== "operator" && roles.indexOf(group.role) >= least)
    .flatMap(({ may }) => may)
    .filter(({ capability }) => capability !== "self" && capability !== "account")
}

/** What a key may do, in short. */
export function reachOf({ role, capabilities }: Pick<ProgramKey, "role" | "capabilities">): string {
  if (capabilities === null) return roleName(role)
  return `${roleName(role)}, only: ${capabilities.join(", ") || "nothing"}`
}

/** Until when a key works. */
export function lifeOf({ expires }: Pick<ProgramKey, "expires">, now: number): string {
  if (expires === null) return "works until it is revoked"
  return expires <= now ? `expired on ${formatDay(expires)}` : `works until ${formatDay(expires)}`
}
