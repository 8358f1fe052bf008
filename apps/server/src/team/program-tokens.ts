import type { Identity, ProgramToken } from "@docket/api"
import { DocketError, type Tenants } from "@docket/core"

/** The tokens for `/v1` of a workspace's tenant. */
export type ProgramTokens = ReturnType<typeof createProgramTokens>

export function createProgramTokens({ listTokens, revokeToken }: Pick<Tenants, "listTokens" | "revokeToken">) {
  return {
    /** Those that still work. */
    async list({ caller }: Identity): Promise<ProgramToken[]> {
      return (await listTokens(caller.workspace)).flatMap(({ id, name, time: { created, used, revoked } }) =>
        revoked === null ? [{ id, name, created, used }] : [],
      )
    },
    /** @throws token_not_found */
    async revoke({ caller }: Identity, id: string): Promise<void> {
      const own = await listTokens(caller.workspace)
      if (!own.some((token) => token.id === id))
        throw new DocketError("token_not_found", `There is no token ${id} of this workspace.`)
      await revokeToken(id)
    },
  }
}
