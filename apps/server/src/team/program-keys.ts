import type { Identity, NewKey, ProgramKey } from "@docket/api"
import { DocketError } from "@docket/core"
import type { Accounts, Context } from "./create-accounts.ts"
import { KeyScope, lesser } from "./identify-key.ts"
import type { Memberships } from "./memberships.ts"
import type { People } from "./people.ts"
import type { WithRights } from "./rights-now.ts"

interface KeyRow {
  id: string
  name: string | null
  start: string | null
  referenceId: string
  lastRequest: Date | null
  expiresAt: Date | null
  createdAt: Date
  metadata: unknown
}

export interface ProgramKeysDeps {
  accounts: Accounts
  context: Context
  people: People
  memberships: Pick<Memberships, "ofWorkspace">
  withRights: WithRights
  /** Maximum calls per minute of any key. */
  perKey: number
  changed(): void
}

/** Maximum number of keys of one user in all their workspaces. */
const mostKeys = 200
const daySeconds = 24 * 60 * 60

/** The API keys that members of a workspace created for programs. */
export function createProgramKeys(deps: ProgramKeysDeps) {
  const { accounts, people, memberships, withRights, perKey, changed } = deps
  const { adapter } = deps.context
  const model = "apikey"
  const madeBy = (persons: string[]) =>
    adapter.findMany<KeyRow>({
      model,
      where: [{ field: "referenceId", operator: "in", value: persons }],
      sortBy: { field: "createdAt", direction: "desc" },
      limit: mostKeys * persons.length,
    })
  const rowsOf = async (workspace: string, persons: string[]) => {
    const rows = persons.length === 0 ? [] : await madeBy(persons)
    return rows.flatMap((row) => {
      const scope = KeyScope.safeParse(typeof row.metadata === "string" ? JSON.parse(row.metadata) : row.metadata)
      return scope.success && scope.data.workspace === workspace ? [{ ...row, scope: scope.data }] : []
    })
  }
  const ofMembers = async (workspace: string) =>
    rowsOf(
      workspace,
      (await memberships.ofWorkspace(workspace)).map(({ person }) => person),
    )
  const remove = (id: string) => adapter.delete({ model, where: [{ field: "id", value: id }] })
  const list = async ({ caller }: Identity): Promise<ProgramKey[]> => {
    const rows = await ofMembers(caller.workspace)
    const makers = await people.byIDs([...new Set(rows.map(({ referenceId }) => referenceId))])
    return rows.map(({ id, name, start, referenceId, scope, createdAt, expiresAt, lastRequest }) => ({
      id,
      name: name ?? "",
      start: start ?? "",
      role: scope.role,
      capabilities: (scope.capabilities as ProgramKey["capabilities"]) ?? null,
      by: { person: referenceId, name: makers.get(referenceId)?.name ?? "" },
      created: createdAt.getTime(),
      expires: expiresAt?.getTime() ?? null,
      used: lastRequest?.getTime() ?? null,
      perMinute: scope.perMinute ?? null,
    }))
  }
  const create = async (by: Identity, { name, role, capabilities, days, perMinute }: NewKey) => {
    const { person, workspace } = by.caller
    if (lesser(role, by.role) !== role)
      throw new DocketError("role_forbidden", `A key can do no more than you: you are ${by.role} here.`)
    if (perMinute !== undefined && perMinute > perKey)
      throw new DocketError("invalid_input", `Keys of this service call ${perKey} times a minute at most.`)
    if (!(await people.byIDs([person])).has(person))
      throw new DocketError(
        "role_forbidden",
        "A key belongs to a person. Sign in as one to make it: docket login --server, with this address.",
      )
    if ((await madeBy([person])).length >= mostKeys)
      throw new DocketError("too_many_keys", `You have ${mostKeys} keys. Revoke some that are not used any more.`)
    const scope: KeyScope = {
      workspace,
      role,
      ...(capabilities && { capabilities: [...capabilities] }),
      ...(perMinute !== undefined && { perMinute }),
    }
    const expiresIn = days === undefined ? null : days * daySeconds
    const made = await accounts.api.createApiKey({ body: { name, userId: person, metadata: scope, expiresIn } })
    const listed = (await list(by)).find(({ id }) => id === made.id)
    if (listed === undefined) throw new Error("a key that was just made is not there")
    return { ...listed, key: made.key }
  }
  return {
    list,
    /** In the queue of membership changes: a key for a user who is being removed is refused, or removed with them. */
    create: (by: Identity, newKey: NewKey): Promise<ProgramKey & { key: string }> =>
      withRights(by, "keys.manage", (now) => create(now, newKey)),
    async revoke({ caller }: Identity, id: string): Promise<void> {
      const found = (await ofMembers(caller.workspace)).find((each) => each.id === id)
      if (!found) throw new DocketError("key_not_found", "There is no such key in this workspace.")
      await remove(id)
      changed()
    },
    /** Removes all keys that a user created in a workspace. Returns their number. */
    async removeOf(workspace: string, person: string): Promise<number> {
      const rows = await rowsOf(workspace, [person])
      for (const { id } of rows) await remove(id)
      changed()
      return rows.length
    },
  }
}

export type ProgramKeys = ReturnType<typeof createProgramKeys>
