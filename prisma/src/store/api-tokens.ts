import type { ApiToken } from "@docket/core/schema"
import type { ApiTokenStore } from "@docket/core/store"
import type { Database } from "../sql/database.ts"
import { type Program, query, upsert } from "../sql/program.ts"
import { shapes } from "./row-shapes.ts"
import { apiTokenRow } from "./rows.ts"
import { storedList, storedOrNull } from "./stored.ts"
import type { UnreadableRows } from "./unreadable-rows.ts"

interface TokenScope {
  unreadable: UnreadableRows
  /** What locks the rows of a query; see `Dialect.lockRows`. */
  lock: string
}

/** The tokens of all tenants. */
export function createApiTokens({ read, write, dialect }: Database, unreadable: UnreadableRows): ApiTokenStore {
  const reading: TokenScope = { unreadable, lock: "" }
  const changing: TokenScope = { unreadable, lock: dialect.lockRows("t") }
  return {
    put: (token) => write(upsert("ApiToken", [apiTokenRow(token)])),
    byHash: (hash) => read(tokenBy(reading, `"tokenHash"`, hash)),
    list: (tenantID) => read(tokensOf(reading, tenantID)),
    revoke: (id, now) => write(revoke(changing, id, now)),
    used: (id, now) => write(used(changing, id, now)),
  }
}

function* tokenBy(scope: TokenScope, column: string, value: string): Program<ApiToken | null> {
  const rows = yield* query(`SELECT t."data" FROM "ApiToken" t WHERE t.${column} = $1 ${scope.lock}`, value)
  return storedOrNull(scope, shapes.ApiToken, rows)
}

function* tokensOf(scope: TokenScope, tenantID: string | undefined): Program<ApiToken[]> {
  const rows = yield* query(
    `SELECT "data" FROM "ApiToken" ${tenantID === undefined ? "" : `WHERE "tenantID" = $1`}
     ORDER BY "created" DESC, "id" DESC`,
    ...(tenantID === undefined ? [] : [tenantID]),
  )
  return storedList(scope, shapes.ApiToken, rows)
}

function* revoke(scope: TokenScope, id: string, now: number): Program<ApiToken | null> {
  const token = yield* tokenBy(scope, `"id"`, id)
  if (!token || token.time.revoked !== null) return token
  const revoked = { ...token, time: { ...token.time, revoked: now } }
  yield* upsert("ApiToken", [apiTokenRow(revoked)])
  return revoked
}

function* used(scope: TokenScope, id: string, now: number): Program<void> {
  const token = yield* tokenBy(scope, `"id"`, id)
  if (!token || (token.time.used ?? 0) >= now) return
  yield* upsert("ApiToken", [apiTokenRow({ ...token, time: { ...token.time, used: now } })])
}
