import type { Identity, Member } from "@docket/api"
import { DocketError, type InOrder, type LeftBehind } from "@docket/core"
import type { Role } from "@docket/core/schema"
import type { Context } from "./create-accounts.ts"
import type { Membership, Memberships } from "./memberships.ts"
import type { OneTimeLinks } from "./one-time-links.ts"
import type { People } from "./people.ts"

export interface MembersDeps {
  context: Context
  people: People
  memberships: Memberships
  links: OneTimeLinks
  inOrder: InOrder
  /** Somebody's rights have changed: what is known of who is who is asked again. */
  changed(): void
  /** What a person who is gone leaves behind in a workspace is put in order. */
  onRemoved(workspace: string, person: string): Promise<LeftBehind | null>
}

/** Who belongs to a workspace, and as what. Changes of one workspace come one after another. */
export function createMembers({ context, people, memberships, links, inOrder, changed, onRemoved }: MembersDeps) {
  const { internalAdapter } = context
  const find = async (workspace: string, person: string) => {
    const all = await memberships.ofWorkspace(workspace)
    const membership = all.find((each) => each.person === person)
    if (membership === undefined) throw new DocketError("person_not_found", "Nobody of this workspace has that id.")
    return { membership, owners: all.filter(({ role }) => role === "owner").length }
  }
  return {
    find,
    async list({ caller }: Identity): Promise<Member[]> {
      const all = await memberships.ofWorkspace(caller.workspace)
      const byID = await people.byIDs(all.map(({ person }) => person))
      return all.flatMap(({ person, role, since }) => {
        const known = byID.get(person)
        if (known === undefined) return []
        const { name, email } = known
        return [{ person, name, email, role, joined: since, isYou: person === caller.person }]
      })
    },
    setRole: (by: Identity, { person, role }: { person: string; role: Role }) =>
      inOrder(by.caller.workspace, async () => {
        const { membership, owners } = await find(by.caller.workspace, person)
        if (membership.role === role) return
        requireRank(by, membership.role)
        requireRank(by, role)
        requireOwnerLeft(membership, owners)
        // Who may make a link for a member may not become an owner by it.
        await links.endOf("reset", person)
        await memberships.setRole(membership.id, role)
        changed()
      }),
    remove: (by: Identity, person: string) =>
      inOrder(by.caller.workspace, async () => {
        const { workspace } = by.caller
        const { membership, owners } = await find(workspace, person)
        if (person !== by.caller.person) requireRank(by, membership.role)
        requireOwnerLeft(membership, owners)
        await memberships.remove(membership.id)
        // Who is in no workspace has nothing to be signed in to.
        if ((await memberships.ofPerson(person)).length === 0) await internalAdapter.deleteUserSessions(person)
        changed()
        return await onRemoved(workspace, person)
      }),
  }
}

export type Members = ReturnType<typeof createMembers>

/** Owners alone make, change and remove owners. @throws role_forbidden */
export function requireRank({ role }: Identity, needed: Role): void {
  if (needed === "owner" && role !== "owner")
    throw new DocketError("role_forbidden", "Only an owner decides about owners. Ask one.")
}

function requireOwnerLeft({ role }: Membership, owners: number): void {
  if (role === "owner" && owners === 1)
    throw new DocketError("last_owner", "This is the last owner of the workspace. Make somebody else an owner first.")
}
