import { type Demoted, type Identity, type Member, may, type Removed } from "@docket/api"
import { DocketError, type InOrder } from "@docket/core"
import type { Role } from "@docket/core/schema"
import type { KeepingOperator } from "./last-operator.ts"
import type { Membership, Memberships } from "./memberships.ts"
import type { People } from "./people.ts"
import type { ProgramTokens } from "./program-tokens.ts"
import type { ResetLinks } from "./reset-links.ts"
import { requireRank, requireStill, rightsNow } from "./rights-now.ts"

export interface MembersDeps {
  people: People
  memberships: Memberships
  links: Pick<ResetLinks, "endOf">
  tokens: Pick<ProgramTokens, "endOf">
  inOrder: InOrder
  keepingOperator: KeepingOperator
  /** Someone's rights have changed: cached identities are dropped. */
  changed(): void
  /** Offboarding for a member who may no longer start work, including the work of tokens that they created. */
  onDemoted(demoted: { workspace: string; person: string; tokens: string[] }): Promise<Demoted | null>
  /** Offboarding for a removed member, including the work of tokens that they created. */
  onRemoved(gone: { workspace: string; person: string; tokens: string[] }): Promise<Removed | null>
}

/** The members of a workspace and their roles. Changes of one workspace run in sequence. */
export function createMembers(deps: MembersDeps) {
  const { people, memberships, links, tokens, inOrder, keepingOperator, changed, onDemoted, onRemoved } = deps
  const findIn = (all: readonly Membership[], person: string) => {
    const membership = all.find((each) => each.person === person)
    if (membership === undefined) throw new DocketError("person_not_found", "Nobody of this workspace has that id.")
    return membership
  }
  /** A member, and the caller's current rights. */
  const find = async (workspace: string, person: string, by: Identity) => {
    const all = await memberships.ofWorkspace(workspace)
    const rights = rightsNow(by, all)
    if (person !== by.caller.person) requireStill(rights, "people.manage")
    const owners = all.filter(({ role }) => role === "owner").length
    return { membership: findIn(all, person), owners, rights }
  }
  return {
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
        const { workspace } = by.caller
        const { membership, owners, rights } = await find(workspace, person, by)
        if (membership.role === role) return null
        requireRank(rights, membership.role)
        requireRank(rights, role)
        requireOwnerLeft(membership, owners)
        // The creator of an existing reset link must not become an owner with it.
        await links.endOf(person)
        const losesPrompt = may(membership, "prompt") && !may({ role }, "prompt")
        // Their tokens can do what members can do, so they end when that is lost.
        const ended = losesPrompt ? await tokens.endOf(workspace, person) : []
        await memberships.setRole(membership.id, role)
        changed()
        return losesPrompt ? await onDemoted({ workspace, person, tokens: ended }) : null
      }),
    remove: (by: Identity, person: string) =>
      inOrder(by.caller.workspace, async () => {
        const { workspace } = by.caller
        const { membership, owners, rights } = await find(workspace, person, by)
        if (person !== by.caller.person) requireRank(rights, membership.role)
        requireOwnerLeft(membership, owners)
        const ended = await keepingOperator({ person, workspace }, async () => {
          // Tokens end first, so that none outlives its creator's membership if the service crashes in between.
          const own = await tokens.endOf(workspace, person)
          await memberships.remove(membership.id)
          return own
        })
        // The creators of existing reset links have no say about this user any more.
        await links.endOf(person)
        // A user who is in no workspace cannot stay signed in.
        if ((await memberships.ofPerson(person)).length === 0) await people.endSignIns(person)
        changed()
        return await onRemoved({ workspace, person, tokens: ended })
      }),
  }
}

export type Members = ReturnType<typeof createMembers>

function requireOwnerLeft({ role }: Membership, owners: number): void {
  if (role === "owner" && owners === 1)
    throw new DocketError("last_owner", "This is the last owner of the workspace. Make somebody else an owner first.")
}
