import { type Invitation, may } from "@docket/api"
import { DocketError, type InOrder } from "@docket/core"
import { Role } from "@docket/core/schema"
import { createSecret, hashSecret } from "../auth/secret.ts"
import type { Context } from "./create-accounts.ts"
import { firstWorkspace } from "./first-owner.ts"
import type { Memberships } from "./memberships.ts"
import { linkGone } from "./one-time-links.ts"
import type { People, Person } from "./people.ts"
import type { ResetLinks } from "./reset-links.ts"
import { rightsOf } from "./rights-now.ts"

/** Lifetime of an invitation (ms). */
const lifeMs = 7 * 24 * 60 * 60_000
/** Maximum number of invitations that are read at once. */
const mostRead = 1_000
/** Maximum number of pending invitations per workspace. */
const mostWaiting = 500

interface InvitationRow {
  id: string
  organizationId: string
  email: string
  role: string
  status: string
  inviterId: string
  madeBy: string | null
  expiresAt: Date
  createdAt: Date
}

export interface InvitationsDeps {
  context: Context
  people: People
  memberships: Memberships
  links: Pick<ResetLinks, "endOf">
  inOrder: InOrder
  /** The user has joined a workspace: their next sign-in starts there. */
  joined(person: string, workspace: string): void
  clock(): number
}

/** What the holder of a link may know before they accept. */
export interface InvitationView {
  workspace: string
  email: string
  role: Role
  /** Whether the user has a password already, or chooses one. */
  hasAccount: boolean
}

/** What the holder of a link sends, or the id of the user who is signed in with the address. */
export type Acceptance = { name?: string | undefined; password: string } | { person: string }

/** Invitation links to a workspace: for one address, once, for a week. */
export function createInvitations({
  context: { adapter },
  people,
  memberships,
  links,
  inOrder,
  joined,
  clock,
}: InvitationsDeps) {
  const model = "invitation"
  /** Invitations whose inviter could still send them: those of a removed or demoted inviter are invalid. */
  const validOf = async (rows: InvitationRow[]) => {
    const workspaces = [...new Set([firstWorkspace, ...rows.map(({ organizationId }) => organizationId)])]
    const members = (await Promise.all(workspaces.map(memberships.ofWorkspace))).flat()
    const roleOf = new Map(members.map(({ workspace, person, role }) => [`${workspace} ${person}`, role]))
    const withMembers = new Set(members.map(({ workspace }) => workspace))
    return rows.filter(({ organizationId, inviterId, role }) => {
      // The first owner of a new workspace is invited by a member of the first workspace.
      const where = withMembers.has(organizationId) ? organizationId : firstWorkspace
      return mayInvite(roleOf.get(`${where} ${inviterId}`), Role.parse(role))
    })
  }
  const pendingBy = (field: "organizationId" | "email", value: string) => [
    { field, value },
    { field: "status", value: "pending" },
    { field: "expiresAt", operator: "gt", value: new Date(clock()) } as const,
  ]
  const waitingBy = async (field: "organizationId" | "email", value: string) => {
    const where = pendingBy(field, value)
    const sortBy = { field: "createdAt", direction: "desc" } as const
    return await validOf(await adapter.findMany<InvitationRow>({ model, where, sortBy, limit: mostRead }))
  }
  const waiting = (workspace: string) => waitingBy("organizationId", workspace)
  const waitingFor = (email: string) => waitingBy("email", email.toLowerCase())
  const end = (id: string, status: "accepted" | "canceled") =>
    adapter.update({ model, where: [{ field: "id", value: id }], update: { status } })
  const find = async (secret: string) => {
    const where = [{ field: "secretHash", value: hashSecret(secret) }]
    const found = await adapter.findOne<InvitationRow>({ model, where })
    const [row] = found?.status === "pending" && found.expiresAt.getTime() > clock() ? await validOf([found]) : []
    if (row === undefined) throw linkGone()
    return { ...row, role: Role.parse(row.role) }
  }
  const isMember = async (workspace: string, person: string) =>
    (await memberships.ofPerson(person)).some((each) => each.workspace === workspace)
  /**
   * The user whose current rights allow the invitation. An operator may have no account: then it is an owner, but the
   * invitation shows the operator's name.
   */
  const inviterOf = async (workspace: string, id: string | null, invited: Role) => {
    const members = await memberships.ofWorkspace(workspace)
    if (id !== null) {
      if (mayInvite(members.find(({ person }) => person === id)?.role, invited)) return id
      throw new DocketError("role_forbidden", "Your own role was changed meanwhile. Load the page again.")
    }
    // A new workspace has no members yet; its owner is invited by a member of the first workspace.
    const all = [...members, ...(await memberships.ofWorkspace(firstWorkspace))]
    const owner = all.find(({ role }) => role === "owner")
    if (owner) return owner.person
    throw new DocketError("person_not_found", "This workspace has no owner yet. Make the first one: docket team init.")
  }
  /** The user who accepts, after they have proven who they are. @throws wrong_password, link_not_found */
  const accepting = async (known: Person | null, email: string, given: Acceptance): Promise<Person> => {
    if ("person" in given) {
      if (known?.id === given.person) return known
      throw linkGone()
    }
    const { name = "", password } = given
    if (known === null) return await people.create({ name, email, password }, false)
    if (await people.hasPassword(known.id, password)) return known
    throw new DocketError(
      "wrong_password",
      "This is not the password of your account. Ask an administrator for a link for a new one.",
    )
  }
  return {
    async list(workspace: string): Promise<Invitation[]> {
      const rows = await waiting(workspace)
      const inviters = await people.byIDs([...new Set(rows.map(({ inviterId }) => inviterId))])
      return rows.map(({ id, email, role, inviterId, madeBy, createdAt, expiresAt }) => ({
        id,
        email,
        role: Role.parse(role),
        by: madeBy ?? inviters.get(inviterId)?.name ?? "",
        created: createdAt.getTime(),
        expires: expiresAt.getTime(),
      }))
    },
    /**
     * `by.id`: null for the operator's token. @throws role_forbidden, already_member, invalid_input, person_not_found
     */
    create: (
      workspace: string,
      by: { id: string | null; name: string },
      { email, role }: { email: string; role: Role },
    ) =>
      inOrder(workspace, async (): Promise<{ invitation: Invitation; secret: string }> => {
        const inviterId = await inviterOf(workspace, by.id, role)
        const known = await people.byEmail(email)
        if (known && (await isMember(workspace, known.id)))
          throw new DocketError("already_member", `${known.name} (${email}) belongs to this workspace already.`)
        const where = [...pendingBy("organizationId", workspace), { field: "email", value: email }]
        for (const { id } of await adapter.findMany<InvitationRow>({ model, where })) await end(id, "canceled")
        if ((await adapter.count({ model, where: pendingBy("organizationId", workspace) })) >= mostWaiting) {
          const message = `${mostWaiting} invitations wait in this workspace. Take some back, or wait until they are accepted.`
          throw new DocketError("invalid_input", message)
        }
        const secret = createSecret()
        const created = clock()
        const expires = created + lifeMs
        const { id } = await adapter.create({
          model,
          data: {
            organizationId: workspace,
            email,
            role,
            status: "pending",
            inviterId,
            madeBy: by.id === null ? by.name : null,
            secretHash: hashSecret(secret),
            createdAt: new Date(created),
            expiresAt: new Date(expires),
          },
        })
        return { invitation: { id, email, role, by: by.name, created, expires }, secret }
      }),
    cancel: (workspace: string, id: string): Promise<void> =>
      // In sequence with acceptances: a user either joins before the cancellation, or the invitation is gone.
      inOrder(workspace, async () => {
        const found = (await waiting(workspace)).find((each) => each.id === id)
        if (!found)
          throw new DocketError("invitation_not_found", "There is no such invitation. It may have been accepted.")
        await end(id, "canceled")
      }),
    /** Whether there is a pending invitation for the address. */
    isInvited: async (email: string) => (await waitingFor(email)).length > 0,
    /** Accepts all invitations of a user whose address a provider has verified. */
    async acceptVerified({ id, email }: Pick<Person, "id" | "email">): Promise<void> {
      for (const { organizationId } of await waitingFor(email))
        await inOrder(organizationId, async () => {
          // An invitation may have been cancelled while this call was queued.
          const still = (await waitingFor(email)).find((each) => each.organizationId === organizationId)
          if (still === undefined) return
          const person = { workspace: organizationId, person: id, role: Role.parse(still.role) }
          if (!(await isMember(organizationId, id))) await memberships.add(person, new Date(clock()))
          await end(still.id, "accepted")
          joined(id, organizationId)
        })
    },
    /** @throws link_not_found */
    async look(secret: string): Promise<InvitationView> {
      const { organizationId, email, role } = await find(secret)
      const where = [{ field: "id", value: organizationId }]
      const workspace = await adapter.findOne<{ name: string }>({ model: "organization", where })
      if (workspace === null) throw linkGone()
      return { workspace: workspace.name, email, role, hasAccount: (await people.byEmail(email)) !== null }
    },
    /**
     * Makes the user with the address a member, and creates their account if they have none. @throws link_not_found,
     * wrong_password if they have one
     */
    async accept(secret: string, given: Acceptance): Promise<Person & { workspace: string }> {
      const { organizationId } = await find(secret)
      return await inOrder(organizationId, async () => {
        // Someone else may have accepted it while this call was queued.
        const { id, email, role } = await find(secret)
        const known = await people.byEmail(email)
        const join = async () => {
          // Another workspace's invitation may have created the account while this call was queued.
          const person = await accepting(known ?? (await people.byEmail(email)), email, given)
          // The creators of existing reset links must not get access to this workspace.
          await links.endOf(person.id)
          if (!(await isMember(organizationId, person.id)))
            await memberships.add({ workspace: organizationId, person: person.id, role }, new Date(clock()))
          await end(id, "accepted")
          joined(person.id, organizationId)
          return { ...person, workspace: organizationId }
        }
        return await inOrder(known === null ? newAccountKey(email) : rightsOf(known.id), join)
      })
    },
  }
}

/** Queue key: accounts of one address are created in sequence. No id contains a blank. */
function newAccountKey(email: string): string {
  return `account of ${email}`
}

function mayInvite(inviter: Role | undefined, invited: Role): boolean {
  if (inviter === undefined) return false
  return may({ role: inviter }, "people.manage") && (invited !== "owner" || inviter === "owner")
}

export type Invitations = ReturnType<typeof createInvitations>
