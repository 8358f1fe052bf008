import type { Identity, ProgramToken } from "@docket/api"
import { DocketError, type InOrder, type Tenants } from "@docket/core"
import type { Memberships } from "./memberships.ts"
import { requireStill } from "./rights-now.ts"

export interface ProgramTokensDeps {
  tenants: Pick<Tenants, "createToken" | "listTokens" | "revokeToken">
  memberships: Pick<Memberships, "ofPerson">
  inOrder: InOrder
}

/** The `/v1` tokens of a workspace's tenant. */
export type ProgramTokens = ReturnType<typeof createProgramTokens>

export function createProgramTokens({ tenants, memberships, inOrder }: ProgramTokensDeps) {
  const live = async (workspace: string) =>
    (await tenants.listTokens(workspace)).filter(({ time }) => time.revoked === null)
  return {
    /** Valid tokens only. */
    list: async ({ caller }: Identity): Promise<ProgramToken[]> =>
      (await live(caller.workspace)).map(({ id, name, by, time: { created, used } }) => ({
        id,
        name,
        created,
        used,
        by: by ? { person: by.person, name: by.name ?? "" } : null,
      })),
    /** In the queue of membership changes: a token for a user who is being removed is refused, or ends with them. */
    async create(newToken: Parameters<Tenants["createToken"]>[0]) {
      const { by } = newToken
      if (by === undefined) return tenants.createToken(newToken)
      return inOrder(by.workspace, async () => {
        const own = (await memberships.ofPerson(by.person)).find(({ workspace }) => workspace === by.workspace)
        requireStill({ role: own?.role ?? "viewer" }, "keys.manage")
        return tenants.createToken(newToken)
      })
    },
    /** @throws token_not_found */
    async revoke({ caller }: Identity, id: string): Promise<void> {
      const own = await tenants.listTokens(caller.workspace)
      if (!own.some((token) => token.id === id))
        throw new DocketError("token_not_found", `There is no token ${id} of this workspace.`)
      await tenants.revokeToken(id)
    },
    /** Ends all tokens that a user created for a workspace. Returns their ids. */
    async endOf(workspace: string, person: string): Promise<string[]> {
      const own = (await live(workspace)).filter(({ by }) => by?.person === person)
      for (const { id } of own) await tenants.revokeToken(id)
      return own.map(({ id }) => id)
    },
  }
}
