import type { Capability, Identity } from "@docket/api"
import { Role } from "@docket/core/schema"
import { z } from "zod"
import type { Accounts } from "./create-accounts.ts"
import type { Memberships } from "./memberships.ts"
import type { People } from "./people.ts"

/** What a key keeps beside what better-auth does: where it opens, and as what. */
export const KeyScope = z.object({
  workspace: z.string(),
  role: Role,
  /** The capabilities that it is limited to. */
  capabilities: z.array(z.string()).optional(),
  /** Calls in a minute. */
  perMinute: z.number().optional(),
})
export type KeyScope = z.infer<typeof KeyScope>

export type IdentifyKey = (key: string) => Promise<Identity | null>

/** Says whose a key is. It can do no more than the person who made it: it ends with their membership, and sinks with it. */
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
      // Words that no capability has open nothing.
      ...(capabilities && { limitedTo: capabilities as Capability[] }),
      ...(perMinute !== undefined && { perMinute }),
    }
  }
}

/** Of two roles the one that may less. */
export function lesser(one: Role, other: Role): Role {
  const order = Role.options
  return order.indexOf(one) >= order.indexOf(other) ? one : other
}
