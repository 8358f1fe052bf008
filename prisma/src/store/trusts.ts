import type { ConfigTrust } from "@docket/core/schema"
import { type Program, query, upsert } from "../sql/program.ts"
import { shapes } from "./row-shapes.ts"
import { columnText, trustRow } from "./rows.ts"
import type { Scope } from "./scope.ts"
import { storedList } from "./stored.ts"

export function* listTrusts(scope: Scope, directory?: string): Program<ConfigTrust[]> {
  const within = directory === undefined ? [] : [columnText(directory)]
  const rows = yield* query(
    `SELECT "data" FROM "ConfigTrust" WHERE "tenantID" = $1${directory === undefined ? "" : ` AND "directory" = $2`} ORDER BY "trusted" DESC, "hash" DESC`,
    scope.tenantID,
    ...within,
  )
  return storedList(scope, shapes.ConfigTrust, rows)
}

export function* putTrust({ tenantID }: Scope, trust: ConfigTrust): Program<void> {
  yield* upsert("ConfigTrust", [trustRow(tenantID, trust)])
}

export function* removeTrusts({ tenantID }: Scope, directory: string): Program<void> {
  yield* query(`DELETE FROM "ConfigTrust" WHERE "tenantID" = $1 AND "directory" = $2`, tenantID, columnText(directory))
}
