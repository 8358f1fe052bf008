import type { TurnOwner } from "@docket/core/schema"
import { type Change, claimedTurn, hasToWait, records } from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { storedOrNull } from "../row/stored.ts"
import { type Program, query, text, upsert } from "../sql/program.ts"
import { openTurns } from "./open-turns.ts"
import type { Scope } from "./scope.ts"
import { lockTree, takeNumber } from "./tree-sequence.ts"

/** The transaction of `WriteStore.claimTurn`. */
export function* claimTurn(scope: Scope, turnID: string, now: number, owner?: TurnOwner): Program<Change | null> {
  const { tenantID } = scope
  const [found] = yield* query(`SELECT "rootID" FROM "Turn" WHERE "tenantID" = $1 AND "id" = $2`, tenantID, turnID)
  if (!found) return null
  const rootID = text(found, "rootID")
  yield* lockTree(scope, rootID)
  // Read again under the lock: another claim may have won.
  const [row] = yield* query(`SELECT "data" FROM "Turn" WHERE "tenantID" = $1 AND "id" = $2`, tenantID, turnID)
  const turn = storedOrNull(scope, records.Turn, row)
  const value = turn && claimedTurn(turn, now, owner)
  if (!turn || !value) return null
  if (hasToWait(turn, yield* openTurns(scope, { sessionID: turn.sessionID }), now)) return null
  const seq = yield* takeNumber(scope, rootID)
  yield* upsert("Turn", [rowOf(records.Turn, { tenantID, rootID, seq }, value)])
  return { rootID, seq, kind: "turn", value }
}
