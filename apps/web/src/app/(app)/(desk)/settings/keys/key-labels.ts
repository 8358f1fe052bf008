import type { ProgramKey, RoleLabels } from "@docket/client/pages"
import type { Role } from "@docket/core/schema"
import { formatDay } from "../../../../../ui/format.ts"
import { formatCount } from "../../../../../ui/format-count.ts"
import { roleName, roles } from "../role-choice.ts"

/** What a key of a role can be limited to. To ask who it is it may always; accounts of people no key touches. */
export function limitableTo(words: readonly RoleLabels[], role: Role): RoleLabels["may"] {
  const least = roles.indexOf(role)
  return words
    .filter((group) => group.role !== "operator" && roles.indexOf(group.role) >= least)
    .flatMap(({ may }) => may)
    .filter(({ capability }) => capability !== "self" && capability !== "account")
}

/** What a key may do, and how often where it has a number of its own, in short. */
export function reachOf({ role, capabilities, perMinute }: Pick<ProgramKey, "role" | "capabilities" | "perMinute">) {
  const may =
    capabilities === null ? roleName(role) : `${roleName(role)}, only: ${capabilities.join(", ") || "nothing"}`
  return perMinute === null ? may : `${may} · ${formatCount(perMinute, "call")} a minute`
}

/** What was typed as the calls of a key in a minute; null for nothing, undefined for what is none. */
export function callsFrom(typed: string): number | null | undefined {
  if (typed.trim() === "") return null
  const calls = Number(typed)
  return Number.isInteger(calls) && calls >= 1 && calls <= mostCalls ? calls : undefined
}

/** Far more than any service lets a key make, which says so itself. */
const mostCalls = 1_000_000

/** Until when a key works. */
export function lifeOf({ expires }: Pick<ProgramKey, "expires">, now: number): string {
  if (expires === null) return "works until it is revoked"
  return expires <= now ? `expired on ${formatDay(expires)}` : `works until ${formatDay(expires)}`
}
