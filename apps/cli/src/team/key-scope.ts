import type { DocketClient } from "@docket/client"
import type { Capability } from "@docket/client/pages"
import type { Role } from "@docket/core/schema"
import { InvalidArgumentError } from "commander"
import { UsageError } from "../usage-error.ts"

/** Reads the list of `--only`, such as `read,prompt`. @throws InvalidArgumentError */
export function readNames(given: string): string[] {
  const names = given.split(",").map((name) => name.trim())
  if (names.every((name) => name !== "")) return [...new Set(names)]
  throw new InvalidArgumentError("name what the key may do with commas between, such as read,prompt")
}

/** What each role may do, from the weakest to the strongest role, as the service describes it. */
type RoleLabels = Awaited<ReturnType<DocketClient["me"]["roles"]["query"]>>

/** The capabilities of a key. @throws UsageError for an unknown name, or for one that the role does not have */
export function scopeOf(words: RoleLabels, role: Role, names: readonly string[]): Capability[] {
  const last = words.findIndex((group) => group.role === role)
  const may = words.slice(0, last + 1).flatMap((group) => group.may.map(({ capability }) => capability))
  // Every key has `self`, and `account` is for people alone.
  const offered = may.filter((capability) => capability !== "self" && capability !== "account")
  const beyond = names.find((name) => !offered.some((capability) => capability === name))
  if (beyond !== undefined)
    throw new UsageError(
      `--only: a key of a ${role} can be limited to ${offered.join(", ")}; "${beyond}" is none of these`,
    )
  return offered.filter((capability) => names.includes(capability))
}
