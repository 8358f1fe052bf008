import type { Capability, Identity } from "@docket/api"
import { Role } from "@docket/core/schema"
import { z } from "zod"
import type { Accounts } from "./create-accounts.ts"
import type { Memberships } from "./memberships.ts"
import type { People } from "./people.ts"

/** Metadata of an API key in addition to better-auth's: its workspace and role. */
export const KeyScope = z.object({
  workspace: z.string(),
  role: Role,
  /** The capabilities to which it is limited. */
  capabilities: z.array(z.string()).optional(),
  /** Calls per minute. */
  perMinute: z.number().optional(),
})
export type KeyScope = z.infer<typeof KeyScope>

export type IdentifyKey = (key: string) => Promise<Identity | null>

/**
 * Identifies API keys. A key never has more rights than its creator: it ends with their membership, and is reduced with
 * it.
 */
export function createIdentifyKey({
  accounts,
  memberships,
  people,
}: {
  accounts: Accounts
  memberships: Memberships
  people: Pick<People, "byIDs">
}): IdentifyKey {
  return async (key) => {
    const found = await accounts.api.verifyApiKey({ body: { key } })
    if (!found.valid || found.key === null) return null
    const { id, name, referenceId, metadata } = found.key
    const scope = KeyScope.safeParse(metadata)
    if (!scope.success) return null
    const { workspace, role, capabilities, perMinute } = scope.data
    const membership = (await memberships.ofPerson(referenceId)).find((each) => each.workspace === workspace)
    if (membership === undefined) return null
    const owner = (await people.byIDs([referenceId])).get(referenceId)
    return {
      caller: { person: referenceId, workspace, ...(owner && { name: owner.name }) },
      name: name ?? "key",
      role: lesser(role, membership.role),
      via: "key",
      credentialID: id,
      // Names of unknown capabilities grant nothing.
      ...(capabilities && { limitedTo: capabilities as Capability[] }),
      ...(perMinute !== undefined && { perMinute }),
    }
  }
}

/** The weaker of two roles. `Role.options` begins with the strongest. */
export function lesser(one: Role, other: Role): Role {
  const order = Role.options
  return order.indexOf(one) >= order.indexOf(other) ? one : other
}
