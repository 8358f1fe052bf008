import type { ProgramKey, RoleLabels } from "@docket/client/pages"
import type { Role } from "@docket/core/schema"
import { formatDay } from "../../../../../ui/format.ts"
import { formatCount } from "../../../../../ui/format-count.ts"
import { roleName, roles } from "../role-choice.ts"

/**
 * The capabilities that a key of a role can be limited to. Reading its own identity is always allowed, and user
 * accounts are never accessible to keys.
 */
export function limitableTo(labels: readonly RoleLabels[], role: Role): RoleLabels["may"] {
  const least = roles.indexOf(role)
  return labels
    .filter((group) => group.role !== "operator" && roles.indexOf(group.role) >= least)
    .flatMap(({ may }) => may)
    .filter(({ capability }) => capability !== "self" && capability !== "account")
}

/** What a key may do, and its own rate limit if it has one, in short. */
export function reachOf({ role, capabilities, perMinute }: Pick<ProgramKey, "role" | "capabilities" | "perMinute">) {
  const may =
    capabilities === null ? roleName(role) : `${roleName(role)}, only: ${capabilities.join(", ") || "nothing"}`
  return perMinute === null ? may : `${may} · ${formatCount(perMinute, "call")} a minute`
}

/** Parses the typed rate limit; null for an empty field, undefined for an invalid value. */
export function callsFrom(typed: string): number | null | undefined {
  if (typed.trim() === "") return null
  const calls = Number(typed)
  return Number.isInteger(calls) && calls >= 1 && calls <= mostCalls ? calls : undefined
}

/** Upper bound for the field, far above the server's own limit, which has its own error. */
const mostCalls = 1_000_000

/** When a key expires. */
export function lifeOf({ expires }: Pick<ProgramKey, "expires">, now: number): string {
  if (expires === null) return "works until it is revoked"
  return expires <= now ? `expired on ${formatDay(expires)}` : `works until ${formatDay(expires)}`
}
