import type { SearchAsk } from "@docket/core/query"
import type { Dialect } from "../sql/dialect.ts"
import type { createParams } from "./search-engine.ts"

/**
 * Conditions on the session `s` of a row `r` and on its root session. They are not in the index, because they change
 * without the row. States are searched in the JSON content, as JSON spells them.
 */
export function sessionConditions(
  { dialect, tenantID }: { dialect: Dialect; tenantID: string },
  { costFrom, costTo, states, verdicts }: SearchAsk,
  params: ReturnType<typeof createParams>,
): string[] {
  const tenant = params.of(tenantID)
  const conditions = [
    `r."tenantID" = ${tenant}`,
    `s."tenantID" = ${tenant} AND s."id" = r."sessionID" AND s."archived" = FALSE`,
    `root."tenantID" = ${tenant} AND root."id" = r."rootID" AND root."archived" = FALSE`,
  ]
  if (costFrom !== null) conditions.push(`s."cost" >= ${params.of(costFrom)}`)
  if (costTo !== null) conditions.push(`s."cost" <= ${params.of(costTo)}`)
  if (states.length > 0) {
    const ends = ["completed", "failed", "stopped"].map(
      (how) => `WHEN ${dialect.contains(`s."data"`, params.of(`"how":"${how}"`))} THEN '${how}'`,
    )
    const own = `CASE WHEN s."status" <> 'idle' THEN 'running' ${ends.join(" ")} END`
    conditions.push(`COALESCE(r."state", ${own}) IN ${params.list(states)}`)
  }
  if (verdicts.length > 0) {
    // The newest verdict of a user that is not withdrawn counts.
    conditions.push(`EXISTS (SELECT 1 FROM "ReviewVerdict" v WHERE v."tenantID" = ${tenant} AND v."sessionID" = r."sessionID"
      AND v."verdict" IN ${params.list(verdicts)} AND v."withdrawn" = FALSE AND NOT EXISTS (
        SELECT 1 FROM "ReviewVerdict" n WHERE n."tenantID" = ${tenant} AND n."taskID" = v."taskID"
        AND n."person" = v."person" AND n."withdrawn" = FALSE AND n."id" > v."id"))`)
  }
  return conditions
}

/** The columns that a page reads of each row. */
export function pageColumns({ contains }: Dialect, params: ReturnType<typeof createParams>): string {
  const undone = `CASE WHEN ${contains(`root."data"`, params.of('"revert":{'))} THEN root."data" END AS "undone"`
  return `r."id" AS "id", r."kind" AS "kind", r."at" AS "at", r."rootID" AS "rootID", r."sessionID" AS "sessionID",
    r."messageID" AS "messageID", ${undone}`
}
