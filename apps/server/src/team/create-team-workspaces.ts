import type { Identity, ListedWorkspace, MadeWorkspace, NewWorkspace, OwnWorkspace, TeamWorkspaces } from "@docket/api"
import { DocketError, type InOrder, isDocketError, type Tenants } from "@docket/core"
import type { WorkspaceRuntimes } from "../workspaces/create-workspace-runtimes.ts"
import type { Context } from "./create-accounts.ts"
import { firstWorkspace } from "./first-owner.ts"
import type { KeepingOperator } from "./last-operator.ts"
import type { Memberships } from "./memberships.ts"
import type { Organizations } from "./organizations.ts"
import type { People } from "./people.ts"
import type { ResetLinks } from "./reset-links.ts"
import { rightsOf } from "./rights-now.ts"

export interface TeamWorkspacesDeps {
  context: Context
  organizations: Organizations
  people: People
  links: Pick<ResetLinks, "endOf">
  memberships: Memberships
  runtimes: Pick<WorkspaceRuntimes, "list" | "create" | "runtime">
  tenants: Pick<Tenants, "list" | "remove">
  inOrder: InOrder
  keepingOperator: KeepingOperator
  clock(): number
  /** Tells a workspace that an operator, who works in another one, set its roots. */
  rootsSet(by: Identity, workspace: string, roots: readonly string[]): Promise<void>
  /** Someone's rights have changed: cached identities are dropped. */
  changed(): void
  /** Invites someone without an account as the owner of a workspace. */
  inviteOwner(by: Identity, workspace: string, email: string): Promise<NonNullable<MadeWorkspace["invitation"]>>
}

/** Queue key for creations, which run in sequence, so that two of the same name get two ids. No id contains a blank. */
const creationKey = "a workspace"

/** The workspaces of a team: switching, creation and removal. */
export function createTeamWorkspaces(deps: TeamWorkspacesDeps): TeamWorkspaces {
  const { organizations, people, links, memberships, runtimes, tenants, inOrder, keepingOperator, clock, changed } =
    deps
  const { internalAdapter } = deps.context
  const own = async ({ caller, via }: Identity): Promise<OwnWorkspace[]> => {
    const all = (await memberships.ofPerson(caller.person)).filter(
      ({ workspace }) => via !== "key" || workspace === caller.workspace,
    )
    const names = await organizations.names(all.map(({ workspace }) => workspace))
    return all.map(({ workspace: id, role }) => ({
      id,
      name: names.get(id) ?? id,
      role,
      isCurrent: id === caller.workspace,
    }))
  }
  /** @param name what the caller typed, which has to be the name of the workspace */
  const remove = async (id: string, name: string): Promise<void> => {
    const currentName = (await organizations.names([id])).get(id) ?? id
    if (id === firstWorkspace)
      throw invalid(
        `${currentName} is the workspace that this service began with, so it stays. Remove what is in it instead.`,
      )
    if (name.trim() !== currentName)
      throw invalid(`To remove the workspace with all that it holds, write its name: ${currentName}.`)
    const members = await memberships.ofWorkspace(id)
    await keepingOperator({ workspace: id }, () => tenants.remove(id))
    for (const { person } of members) {
      await links.endOf(person)
      // A user who is in no workspace cannot stay signed in.
      if ((await memberships.ofPerson(person)).length === 0) await people.endSignIns(person)
    }
    changed()
  }
  return {
    own,
    async switchTo(by, id) {
      const found = (await own(by)).find((each) => each.id === id)
      if (found === undefined) throw notThere()
      const sessions = await internalAdapter.listSessions(by.caller.person, { onlyActiveSessions: true })
      const session = sessions.find((each) => each.id === by.credentialID)
      if (session === undefined)
        throw new DocketError("role_forbidden", "Only somebody who is signed in goes to another workspace.")
      await internalAdapter.updateSession(session.token, { activeOrganizationId: id })
      changed()
    },
    async holding(by, sessionID) {
      for (const { id, name, isCurrent } of await own(by)) {
        const runtime = isCurrent ? null : await runtimes.runtime(id)
        const { session } = runtime?.as({ person: by.caller.person, workspace: id }) ?? {}
        if ((await session?.get({ sessionID }).catch(nullWhenMissing)) != null) return { id, name }
      }
      return null
    },
    rename: ({ caller }, name) => organizations.rename(caller.workspace, name),
    remove: ({ caller }, name) => remove(caller.workspace, name),
    async all() {
      const listed = runtimes.list()
      const names = await organizations.names(listed.map(({ id }) => id))
      return await Promise.all(
        listed.map(async ({ id, roots, time }): Promise<ListedWorkspace> => {
          const members = (await memberships.ofWorkspace(id)).length
          return { id, name: names.get(id) ?? id, members, roots, created: time.created }
        }),
      )
    },
    create: (by, newWorkspace) =>
      inOrder(creationKey, async () => {
        const account = newWorkspace.owner === undefined ? null : await people.byEmail(newWorkspace.owner)
        // Undefined: the named owner has no account yet.
        const owner = newWorkspace.owner === undefined ? by.caller.person : account?.id
        if (newWorkspace.owner === undefined && !(await people.byIDs([by.caller.person])).has(by.caller.person))
          throw invalid("Say whose workspace it is: name its owner by e-mail address (--owner ada@example.org).")
        const { name } = newWorkspace
        const id = await freeID(newWorkspace)
        // An interrupted creation has left a runtime of this id (see `freeID`); now it gets the name and a member too.
        if (runtimes.list().every((each) => each.id !== id)) await runtimes.create(id)
        await organizations.create(id, name)
        if (owner === undefined) {
          const invitation = await deps.inviteOwner(by, id, newWorkspace.owner ?? "")
          return { id, name, invitation }
        }
        await inOrder(rightsOf(owner), async () => {
          await links.endOf(owner)
          await memberships.add({ workspace: id, person: owner, role: "owner" }, new Date(clock()))
        })
        changed()
        return { id, name, invitation: null }
      }),
    async removeAny({ caller }, id, name) {
      if (id === caller.workspace) throw invalid("You work in this workspace. Its owner removes it from within.")
      if (runtimes.list().every((each) => each.id !== id)) throw notThere()
      await remove(id, name)
    },
    async setRoots(by, id, roots) {
      const { caller } = by
      const runtime = runtimes.list().some((each) => each.id === id) ? await runtimes.runtime(id) : null
      if (runtime === null) throw notThere()
      const set = await runtime.as({ person: caller.person, workspace: id }).workspace.update({ roots })
      if (id !== caller.workspace) await deps.rootsSet(by, id, set.roots ?? [])
      return { id, name: (await organizations.names([id])).get(id) ?? id, roots: set.roots ?? [] }
    },
    async operators() {
      return await people.operators()
    },
    async setOperator(email, isOperator) {
      const person = await people.byEmail(email)
      if (person === null) throw new DocketError("person_not_found", `Nobody has an account with the address ${email}.`)
      await inOrder(rightsOf(person.id), async () => {
        await links.endOf(person.id)
        const set = () => people.setOperator(person.id, isOperator)
        await (isOperator ? set() : keepingOperator({ operator: person.id }, set))
      })
      changed()
      return { person: person.id, name: person.name, email: person.email }
    },
  }

  /** @throws invalid_input when the requested id is taken */
  async function freeID({ id, name }: NewWorkspace): Promise<string> {
    // Ids of interrupted creations: they have a runtime but no name, and may be used again.
    const unfinished = new Set(runtimes.list().map((each) => each.id))
    for (const named of (await organizations.names([...unfinished])).keys()) unfinished.delete(named)
    // A tenant that programs use must not become the workspace of someone who chooses its name.
    const taken = new Set((await tenants.list()).map((each) => each.id).filter((each) => !unfinished.has(each)))
    taken.add(firstWorkspace)
    if (id !== undefined && !taken.has(id)) return id
    if (id !== undefined) throw invalid(`There is a workspace or tenant "${id}" already. Choose another id.`)
    const base = idOf(name)
    for (let count = 2, next = base; ; count += 1) {
      if (!taken.has(next)) return next
      next = `${base.slice(0, 56)}-${count}`
    }
  }
}

function idOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
  return plain.slice(0, 60).replace(/-+$/, "") || "workspace"
}

function nullWhenMissing(error: unknown): null {
  if (isDocketError(error)) return null
  throw error
}

function notThere(): DocketError {
  return new DocketError("workspace_not_found", "There is no such workspace, or you do not belong to it.")
}

function invalid(message: string): DocketError {
  return new DocketError("invalid_input", message)
}
