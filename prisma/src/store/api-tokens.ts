import { ApiToken } from "@docket/core/schema"
import type { ApiTokenStore } from "@docket/core/store"
import type { Database } from "../sql/database.ts"
import { type Program, query, upsert } from "../sql/program.ts"
import { apiTokenRow } from "./rows.ts"
import { storedList, storedOrNull } from "./stored.ts"

/** The tokens of all tenants. */
export function createApiTokens({ read, write, dialect }: Database): ApiTokenStore {
  return {
    put: (token) => write(upsert("ApiToken", [apiTokenRow(token)])),
    byHash: (hash) => read(tokenBy(`"tokenHash"`, hash)),
    list: (tenantID) => read(tokensOf(tenantID)),
    revoke: (id, now) => write(revoke(id, now, dialect.lockRows("t"))),
    used: (id, now) => write(used(id, now, dialect.lockRows("t"))),
  }
}

function* tokenBy(column: string, value: string, lock = ""): Program<ApiToken | null> {
  return storedOrNull(ApiToken, yield* query(`SELECT t."data" FROM "ApiToken" t WHERE t.${column} = $1 ${lock}`, value))
}

function* tokensOf(tenantID: string | undefined): Program<ApiToken[]> {
  const rows = yield* query(
    `SELECT "data" FROM "ApiToken" ${tenantID === undefined ? "" : `WHERE "tenantID" = $1`}
     ORDER BY "created" DESC, "id" DESC`,
    ...(tenantID === undefined ? [] : [tenantID]),
  )
  return storedList(ApiToken, rows)
}

function* revoke(id: string, now: number, lock: string): Program<ApiToken | null> {
  const token = yield* tokenBy(`"id"`, id, lock)
  if (!token || token.time.revoked !== null) return token
  const revoked = { ...token, time: { ...token.time, revoked: now } }
  yield* upsert("ApiToken", [apiTokenRow(revoked)])
  return revoked
}

function* used(id: string, now: number, lock: string): Program<void> {
  const token = yield* tokenBy(`"id"`, id, lock)
  if (!token || (token.time.used ?? 0) >= now) return
  yield* upsert("ApiToken", [apiTokenRow({ ...token, time: { ...token.time, used: now } })])
}
