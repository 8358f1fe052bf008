import { number, type Program, query } from "../sql/program.ts"
import type { StoreScope } from "./store-scope.ts"

/** Takes `count` numbers from one of the tenant's counters and returns the first. */
export function reserveNumbers({ tenantID, write }: StoreScope, name: string, count: number): Promise<number> {
  return write({ program: () => reserve(tenantID, name, count) })
}

/** One statement: Prisma's client would need a read before and after it. */
function* reserve(tenantID: string, name: string, count: number): Program<number> {
  const [row = {}] = yield* query(
    `INSERT INTO "Counter" ("tenantID", "name", "value") VALUES ($1, $2, $3)
     ON CONFLICT ("tenantID", "name") DO UPDATE SET "value" = "Counter"."value" + excluded."value"
     RETURNING "value"`,
    tenantID,
    name,
    count,
  )
  return number(row, "value") - count + 1
}
