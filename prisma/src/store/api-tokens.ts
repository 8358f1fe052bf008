import type { ApiToken } from "@docket/core/schema"
import { type ApiTokenStore, records } from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { storedList, storedOrNull } from "../row/stored.ts"
import type { UnreadableRows } from "../row/unreadable-rows.ts"
import type { Client, Database } from "../sql/database.ts"
import { type Program, query, type Row } from "../sql/program.ts"
import { data } from "./store-scope.ts"

/** The tokens of all tenants. */
export function createApiTokens({ read, write }: Database, unreadable: UnreadableRows): ApiTokenStore {
  const reader = { unreadable }
  /** Changes the stored token; reads it again if another change came in between. */
  const change = (id: string, next: (token: ApiToken) => ApiToken) =>
    write(async ({ apiToken }: Client) => {
      for (;;) {
        const row = await apiToken.findUnique({ where: { id }, select: data })
        const token = storedOrNull(reader, records.ApiToken, row)
        const changed = token && next(token)
        if (row === null || changed === null || changed === token) return token
        const { count } = await apiToken.updateMany({
          where: { id, data: row.data },
          data: rowOf(records.ApiToken, { tenantID: changed.tenantID }, changed),
        })
        if (count > 0) return changed
      }
    })
  return {
    async put(token) {
      const { tenantID, id } = token
      const row = rowOf(records.ApiToken, { tenantID: token.tenantID }, token)
      const where = { tenantID_id: { tenantID, id } }
      await write(({ apiToken }) => apiToken.upsert({ where, create: row, update: row, select: { id: true } }))
    },
    byHash: async (tokenHash) =>
      storedOrNull(reader, records.ApiToken, await read({ program: () => byHash(tokenHash) })),
    async list(tenantID) {
      const where = { ...(tenantID !== undefined && { tenantID }) }
      const rows = await read(({ apiToken }) =>
        apiToken.findMany({ where, orderBy: [{ created: "desc" }, { id: "desc" }], select: data }),
      )
      return storedList(reader, records.ApiToken, rows)
    },
    revoke: (id, now) =>
      change(id, (token) =>
        token.time.revoked === null ? { ...token, time: { ...token.time, revoked: now } } : token,
      ),
    async used(id, now) {
      await change(id, (token) =>
        (token.time.used ?? 0) < now ? { ...token, time: { ...token.time, used: now } } : token,
      )
    },
  }
}

/** A program for speed: every request of another program sends its token. */
function* byHash(tokenHash: string): Program<Row | undefined> {
  const [row] = yield* query(`SELECT "data" FROM "ApiToken" WHERE "tokenHash" = $1`, tokenHash)
  return row
}
