import type { Todo, TodoChange } from "@docket/core/schema"
import { type TodoStore, todoRank } from "@docket/core/store"
import { type Program, query, upsert, type Value } from "../sql/program.ts"
import { shapes } from "./row-shapes.ts"
import { columnText, todoChangeRow, todoRow } from "./rows.ts"
import type { Scope } from "./scope.ts"
import { storedList } from "./stored.ts"

type TodoQuery = Parameters<TodoStore["find"]>[0]

const order = `"rank", "position", "updated" DESC, "id"`

/** `TodoStore.find`. Each SELECT reads an index in the order of the listing and stops at the limit. */
export function* findTodos(scope: Scope, { scope: of, status, agent, limit }: TodoQuery): Program<Todo[]> {
  const { tenantID } = scope
  const params: Value[] = [tenantID, limit]
  const conditions = [`"tenantID" = $1`]
  if (status !== undefined) conditions.push(`"rank" = $${params.push(todoRank(status))}`)
  if (agent !== undefined) conditions.push(`"agent" = $${params.push(columnText(agent))}`)
  const select = (...more: string[]) =>
    `SELECT "data", "rank", "position", "updated", "id" FROM "Todo"
     WHERE ${[...conditions, ...more].join(" AND ")} ORDER BY ${order} LIMIT $2`
  const tenantWide = select(`"sessionID" IS NULL`)
  switch (of.kind) {
    case "all":
      return storedList(scope, shapes.Todo, yield* query(select(), ...params))
    case "tenant":
      return storedList(scope, shapes.Todo, yield* query(tenantWide, ...params))
    case "session": {
      const own = select(`"sessionID" = $${params.push(of.sessionID)}`)
      const union = `SELECT * FROM (${own}) AS o UNION ALL SELECT * FROM (${tenantWide}) AS t ORDER BY ${order} LIMIT $2`
      return storedList(scope, shapes.Todo, yield* query(union, ...params))
    }
    default:
      return of satisfies never
  }
}

export function* putTenantWide({ tenantID }: Scope, todo: Todo, change: TodoChange): Program<void> {
  yield* upsert("Todo", [todoRow(tenantID, null, todo)])
  yield* upsert("TodoChange", [todoChangeRow(tenantID, change)])
}

export function* removeTenantWide({ tenantID }: Scope, todoID: string, change: TodoChange): Program<void> {
  yield* query(`DELETE FROM "Todo" WHERE "tenantID" = $1 AND "id" = $2 AND "sessionID" IS NULL`, tenantID, todoID)
  yield* upsert("TodoChange", [todoChangeRow(tenantID, change)])
}

export function* todoHistory(
  scope: Scope,
  { todoID, sessionID, limit }: Parameters<TodoStore["history"]>[0],
): Program<TodoChange[]> {
  const { tenantID } = scope
  const params: Value[] = [tenantID, limit]
  const conditions = [`"tenantID" = $1`]
  if (todoID !== undefined) conditions.push(`"todoID" = $${params.push(todoID)}`)
  if (sessionID !== undefined) conditions.push(`"sessionID" = $${params.push(sessionID)}`)
  const rows = yield* query(
    `SELECT "data" FROM "TodoChange" WHERE ${conditions.join(" AND ")} ORDER BY "at" DESC, "id" DESC LIMIT $2`,
    ...params,
  )
  return storedList(scope, shapes.TodoChange, rows)
}
