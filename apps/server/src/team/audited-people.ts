import type { AccountAudit } from "./account-audit.ts"
import { requestSource } from "./current-request.ts"
import type { Memberships } from "./memberships.ts"
import type { People } from "./people.ts"

/** Records in the audit log when a user joins a workspace in any way. */
export function auditedMemberships(memberships: Memberships, audit: AccountAudit): Memberships {
  return {
    ...memberships,
    async add(membership, now) {
      await memberships.add(membership, now)
      const { workspace, person, role } = membership
      const happened = { ...requestSource(), act: "person.joined", call: "membership", facts: { role } } as const
      await audit.did(person, happened, workspace)
    },
  }
}

/** Records a password that was set with a link as such, because nobody was signed in. */
export function auditedPeople(people: People, audit: AccountAudit): People {
  return {
    ...people,
    async reset(id, chosen, ends) {
      const ended = await people.reset(id, chosen, ends)
      const facts = { passkeys: ended.passkeys, ...(ended.secondStep && { secondStep: "ended" }) }
      await audit.did(id, { ...requestSource(), act: "sign-in.method", call: "POST /api/auth/reset", facts })
      return ended
    },
    async endUnproven(id) {
      const hasEnded = await people.endUnproven(id)
      if (hasEnded) await audit.did(id, { ...requestSource(), act: "sign-in.method", call: "address.proven" })
      return hasEnded
    },
  }
}
