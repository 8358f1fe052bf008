import type { Task, TodoChange } from "@docket/core/schema"
import { records, type TodoStore } from "@docket/core/store"
import { storedList } from "../row/stored.ts"
import { type Program, query, type Value } from "../sql/program.ts"
import type { StoreScope } from "./store-scope.ts"

// What every step and every end of a turn reads. Programs, like the turn's own transactions: mostly there is nothing to
// return, and the client would take ten times as long.

/** `TodoStore.history`. */
export function* todoHistory(
  scope: StoreScope,
  { todoID, sessionID, limit }: Parameters<TodoStore["history"]>[0],
): Program<TodoChange[]> {
  const params: Value[] = [scope.tenantID, limit]
  const conditions = [`"tenantID" = $1`]
  if (todoID !== undefined) conditions.push(`"todoID" = $${params.push(todoID)}`)
  if (sessionID !== undefined) conditions.push(`"sessionID" = $${params.push(sessionID)}`)
  const rows = yield* query(
    `SELECT "data" FROM "TodoChange" WHERE ${conditions.join(" AND ")} ORDER BY "at" DESC, "id" DESC LIMIT $2`,
    ...params,
  )
  return storedList(scope, records.TodoChange, rows)
}

/** `TaskStore.undelivered`. */
export function* undeliveredTasks(scope: StoreScope, rootID: string | undefined): Program<Task[]> {
  const ofTree = rootID === undefined ? "" : `AND "rootID" = $2`
  const rows = yield* query(
    `SELECT "data" FROM "Task" WHERE "tenantID" = $1 AND "state" = 'untold' ${ofTree} ORDER BY "created", "id"`,
    scope.tenantID,
    ...(rootID === undefined ? [] : [rootID]),
  )
  return storedList(scope, records.Task, rows)
}
