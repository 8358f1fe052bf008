import { number, type Program, query } from "../sql/program.ts"
import type { Scope } from "./scope.ts"

/** Takes `count` numbers of one of the tenant's counters and answers with the first. */
export function* reserveNumbers(
  { tenantID }: Scope,
  counter: "todo" | "memory" | "schedule",
  count: number,
): Program<number> {
  const [row] = yield* query(
    `INSERT INTO "Counter" ("tenantID", "name", "value") VALUES ($1, $2, $3)
     ON CONFLICT ("tenantID", "name") DO UPDATE SET "value" = "Counter"."value" + excluded."value"
     RETURNING "value"`,
    tenantID,
    counter,
    count,
  )
  if (!row) throw new Error("the counter answered nothing")
  return number(row, "value") - count + 1
}
