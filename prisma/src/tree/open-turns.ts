import type { Turn } from "@docket/core/schema"
import { records } from "@docket/core/store"
import { storedList } from "../row/stored.ts"
import { type Program, query } from "../sql/program.ts"
import type { Scope } from "./scope.ts"

/**
 * Queued and running turns of a session, of a tree or of all trees, oldest first. Uses the index of open turns, because
 * a session may have had thousands.
 */
export function* openTurns(
  scope: Pick<Scope, "tenantID" | "unreadable">,
  { sessionID, rootID }: { sessionID?: string | undefined; rootID?: string | undefined },
): Program<Turn[]> {
  const params = [scope.tenantID]
  // With `|| ''`, the databases cannot use the index of all turns of a session or tree instead.
  const conditions = [`"tenantID" = $1`, `"status" IN ('queued', 'running')`]
  if (sessionID !== undefined) conditions.push(`"sessionID" || '' = $${params.push(sessionID)}`)
  if (rootID !== undefined) conditions.push(`"rootID" || '' = $${params.push(rootID)}`)
  const rows = yield* query(
    `SELECT "data" FROM "Turn" WHERE ${conditions.join(" AND ")} ORDER BY "created", "id"`,
    ...params,
  )
  return storedList(scope, records.Turn, rows)
}
