import type { PermissionRequest, Session, Task } from "@docket/core/schema"
import { records } from "@docket/core/store"
import type { RowShape } from "../row/row-data.ts"
import { storedList } from "../row/stored.ts"
import { type Program, query, type Value } from "../sql/program.ts"
import type { StoreScope } from "./store-scope.ts"

// What opening a session reads in addition to messages and todos. Programs, because as many client calls would take
// longer than the rest of the request.

/** All sessions of a tree, in no order. */
export function sessionsOfTree(scope: StoreScope, rootID: string): Program<Session[]> {
  return listed(scope, records.Session, `"rootID" = $2`, rootID)
}

/** `PermissionStore.pending`. */
export function pendingPermissions(scope: StoreScope, rootID: string | undefined): Program<PermissionRequest[]> {
  const isPending = `"status" = 'pending'`
  return rootID === undefined
    ? listed(scope, records.PermissionRequest, `${isPending} ${oldestFirst}`)
    : listed(scope, records.PermissionRequest, `${isPending} AND "rootID" = $2 ${oldestFirst}`, rootID)
}

/** All tasks of a tree, by number. */
export function tasksOfTree(scope: StoreScope, rootID: string): Program<Task[]> {
  return listed(scope, records.Task, `"rootID" = $2 ORDER BY "number", "id"`, rootID)
}

const oldestFirst = `ORDER BY "created", "id"`

/** @param condition and order; the tenant is `$1`, and `params` begin with `$2` */
function* listed<T>(scope: StoreScope, shape: RowShape<T>, condition: string, ...params: Value[]): Program<T[]> {
  const sql = `SELECT "data" FROM "${shape.name}" WHERE "tenantID" = $1 AND ${condition}`
  return storedList(scope, shape, yield* query(sql, scope.tenantID, ...params))
}
