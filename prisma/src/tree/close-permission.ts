import type { PermissionRequest } from "@docket/core/schema"
import { type Change, type ClosedPermission, records } from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { storedOrNull } from "../row/stored.ts"
import { type Program, query, text, upsert } from "../sql/program.ts"
import type { Scope } from "./scope.ts"
import { lockTree, takeNumber } from "./tree-sequence.ts"

/** The transaction of `WriteStore.closePermission`. */
export function* closePermission(scope: Scope, id: string, closed: ClosedPermission): Program<Change | null> {
  const { tenantID } = scope
  const where = `"tenantID" = $1 AND "id" = $2`
  const [found] = yield* query(`SELECT "rootID" FROM "PermissionRequest" WHERE ${where}`, tenantID, id)
  if (!found) return null
  const rootID = text(found, "rootID")
  yield* lockTree(scope, rootID)
  // Read again under the lock: another answer may have arrived.
  const [row] = yield* query(`SELECT "data" FROM "PermissionRequest" WHERE ${where}`, tenantID, id)
  const request = storedOrNull(scope, records.PermissionRequest, row)
  if (request?.status !== "pending") return null
  const { replied, ...end } = closed
  const value: PermissionRequest = { ...request, ...end, time: { ...request.time, replied } }
  const seq = yield* takeNumber(scope, rootID)
  yield* upsert("PermissionRequest", [rowOf(records.PermissionRequest, { tenantID, rootID, seq }, value)])
  return { rootID, seq, kind: "permission", value }
}
