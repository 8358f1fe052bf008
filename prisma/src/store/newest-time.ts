import { idTime, records } from "@docket/core/store"
import type { Prisma } from "../generated/sqlite/client/client.ts"
import { type Program, query } from "../sql/program.ts"

/** Tables whose ids ascend with time. Session ids descend; other tables have other keys. */
const ascending = Object.values(records)
  .filter(({ name, key }) => key === "id" && name !== "Session")
  .map(({ name }) => name)

/**
 * The latest time in any stored id of any tenant (epoch ms); 0 when there is none. Takes one index lookup per table and
 * tenant.
 */
export function* newestTime(): Program<number> {
  const queries = [...ascending.map((table) => lastID(table, "MAX")), lastID("Session", "MIN")]
  let newest = 0
  for (const sql of queries) {
    for (const { id } of yield* query(sql)) newest = Math.max(newest, (typeof id === "string" && idTime(id)) || 0)
  }
  return newest
}

/** The first or last id of each tenant. Tenants are found by index lookups too, because keys begin with the tenant. */
function lastID(table: Prisma.ModelName, end: "MIN" | "MAX"): string {
  return `WITH RECURSIVE t("tenantID") AS (
      SELECT MIN("tenantID") FROM "${table}"
      UNION ALL
      SELECT (SELECT MIN(n."tenantID") FROM "${table}" n WHERE n."tenantID" > t."tenantID") FROM t
      WHERE t."tenantID" IS NOT NULL
    )
    SELECT (SELECT ${end}(r."id") FROM "${table}" r WHERE r."tenantID" = t."tenantID") AS "id" FROM t
    WHERE t."tenantID" IS NOT NULL`
}
