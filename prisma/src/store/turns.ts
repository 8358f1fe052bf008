import type { Turn } from "@docket/core/schema"
import { type Change, claimedTurn } from "@docket/core/store"
import { type Program, query, text, upsert, type Value } from "../sql/program.ts"
import { shapes } from "./row-shapes.ts"
import { turnRow } from "./rows.ts"
import type { Scope } from "./scope.ts"
import { storedList, storedOrNull } from "./stored.ts"
import { lockTree, takeNumbers } from "./tree-sequence.ts"

/** The transaction of `WriteStore.claimTurn`. */
export function* claimTurn(scope: Scope, turnID: string, now: number): Program<Change | null> {
  const { tenantID } = scope
  const [found] = yield* query(`SELECT "rootID" FROM "Turn" WHERE "tenantID" = $1 AND "id" = $2`, tenantID, turnID)
  if (!found) return null
  const rootID = text(found, "rootID")
  yield* lockTree(scope, rootID)
  // Read again under the lock: another claim may have won meanwhile.
  const rows = yield* query(`SELECT "data" FROM "Turn" WHERE "tenantID" = $1 AND "id" = $2`, tenantID, turnID)
  const turn = storedOrNull(scope, shapes.Turn, rows)
  const value = turn && claimedTurn(turn, now)
  if (!value) return null
  const before = yield* takeNumbers(scope, new Map([[rootID, 1]]))
  const seq = (before.get(rootID) ?? 0) + 1
  yield* upsert("Turn", [turnRow({ tenantID, rootID, seq }, value)])
  return { rootID, seq, kind: "turn", value }
}

export function* openTurns(scope: Scope, of: { sessionID?: string; rootID?: string }): Program<Turn[]> {
  const { tenantID } = scope
  const params: Value[] = [tenantID]
  const conditions = [`"tenantID" = $1`, `"status" IN ('queued', 'running')`]
  if (of.sessionID !== undefined) conditions.push(`"sessionID" = $${params.push(of.sessionID)}`)
  if (of.rootID !== undefined) conditions.push(`"rootID" = $${params.push(of.rootID)}`)
  const rows = yield* query(
    `SELECT "data" FROM "Turn" WHERE ${conditions.join(" AND ")} ORDER BY "created", "id"`,
    ...params,
  )
  return storedList(scope, shapes.Turn, rows)
}
