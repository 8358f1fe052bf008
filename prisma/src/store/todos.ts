import type { Todo, TodoChange } from "@docket/core/schema"
import { columnText, records, type TodoStore, todoRank } from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { storedList } from "../row/stored.ts"
import { number, type Program, query, type Row, text, upsert, type Value } from "../sql/program.ts"
import { todoList, todoListsOfTree } from "../tree/todo-lists.ts"
import { oneRow } from "./one-row.ts"
import { maxInt, type StoreScope } from "./store-scope.ts"
import { todoHistory } from "./turn-reads.ts"

type TodoQuery = Parameters<TodoStore["find"]>[0]

export function todoStore(scope: StoreScope): TodoStore {
  const { tenantID, read, write } = scope
  return {
    // The same program as in a commit and in the feed, so that all use the cached lists.
    list: (sessionID) => read({ program: () => todoList(scope, sessionID) }),
    tree: (rootID) => read({ program: () => todoListsOfTree(scope, rootID) }),
    get: (id) => oneRow(scope, records.Todo, "id", id),
    byNumber: async (number) => (number > maxInt ? null : oneRow(scope, records.Todo, "number", number)),
    find: (query) => read({ program: () => findTodos(scope, query) }),
    putTenantWide: (value, change) => write({ program: () => putTenantWide(tenantID, value, change) }),
    removeTenantWide: (id, change) => write({ program: () => removeTenantWide(tenantID, id, change) }),
    history: (query) => read({ program: () => todoHistory(scope, query) }),
  }
}

// Programs, like a session's list: every agent and program that uses the tracker reads and changes it.

function* putTenantWide(tenantID: string, value: Todo, change: TodoChange): Program<void> {
  yield* upsert("Todo", [rowOf(records.Todo, { tenantID, rootID: null, sessionID: null }, value)])
  yield* upsert("TodoChange", [rowOf(records.TodoChange, { tenantID }, change)])
}

function* removeTenantWide(tenantID: string, id: string, change: TodoChange): Program<void> {
  yield* query(`DELETE FROM "Todo" WHERE "tenantID" = $1 AND "id" = $2 AND "sessionID" IS NULL`, tenantID, id)
  yield* upsert("TodoChange", [rowOf(records.TodoChange, { tenantID }, change)])
}

function* findTodos(scope: StoreScope, { scope: todoScope, limit, ...filter }: TodoQuery): Program<Todo[]> {
  switch (todoScope.kind) {
    case "all":
      return storedList(scope, records.Todo, yield* ranked(scope, { ...filter, limit }))
    case "tenant":
      return storedList(scope, records.Todo, yield* ranked(scope, { ...filter, limit, sessionID: null }))
    case "session": {
      const own = yield* ranked(scope, { ...filter, limit, sessionID: todoScope.sessionID })
      const tenantWide = yield* ranked(scope, { ...filter, limit, sessionID: null })
      return storedList(scope, records.Todo, [...own, ...tenantWide].sort(inOrder).slice(0, limit))
    }
    default:
      return todoScope satisfies never
  }
}

/** Reads todos in list order by an index, up to the limit. Without `sessionID`, those of all lists. */
function* ranked({ tenantID }: StoreScope, filter: Filter): Program<Row[]> {
  const { status, agent, sessionID, limit } = filter
  const params: Value[] = [tenantID]
  const equals = (column: string, value: Value) =>
    value === null ? `"${column}" IS NULL` : `"${column}" = $${params.push(value)}`
  const conditions = [
    `"tenantID" = $1`,
    ...(status === undefined ? [] : [equals("rank", todoRank(status))]),
    ...(agent === undefined ? [] : [equals("agent", columnText(agent))]),
    ...(sessionID === undefined ? [] : [equals("sessionID", sessionID)]),
  ]
  return yield* query(
    `SELECT "data", "rank", "position", "updated", "id" FROM "Todo" WHERE ${conditions.join(" AND ")}
     ORDER BY "rank", "position", "updated" DESC, "id" LIMIT $${params.push(limit)}`,
    ...params,
  )
}

interface Filter extends Omit<TodoQuery, "scope"> {
  sessionID?: string | null
}

function inOrder(a: Row, b: Row): number {
  const difference = (column: string) => number(a, column) - number(b, column)
  return (
    difference("rank") || difference("position") || -difference("updated") || (text(a, "id") < text(b, "id") ? -1 : 1)
  )
}
