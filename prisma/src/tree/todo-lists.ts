import type { Todo } from "@docket/core/schema"
import { records } from "@docket/core/store"
import { readable } from "../row/stored.ts"
import { number, type Program, query, text } from "../sql/program.ts"
import type { KnownList } from "./known-lists.ts"
import type { Scope } from "./scope.ts"

export function* todoList(scope: Scope, sessionID: string): Program<Todo[]> {
  return (yield* todoLists(scope, [sessionID]))[sessionID] ?? []
}

/** The non-empty lists of a tree, by session id. */
export function* todoListsOfTree(scope: Scope, rootID: string): Program<Record<string, Todo[]>> {
  const rows = yield* query(
    `SELECT "id" FROM "Session" WHERE "tenantID" = $1 AND "rootID" = $2 AND "todoSeq" > 0 ORDER BY "id"`,
    scope.tenantID,
    rootID,
  )
  return yield* todoLists(
    scope,
    rows.map((row) => text(row, "id")),
  )
}

/** The non-empty lists of these sessions, by session id, frozen. Not for use in a transaction. */
export function* todoLists(scope: Scope, sessionIDs: string[]): Program<Record<string, Todo[]>> {
  const lists = yield* unchangedLists(scope, sessionIDs)
  const others = sessionIDs.filter((id) => !lists.has(id))
  if (others.length > 0) {
    for (const [sessionID, known] of yield* readLists(scope, others)) {
      lists.set(sessionID, known)
      scope.lists.keep(scope.tenantID, sessionID, known)
    }
  }
  return Object.fromEntries([...lists].map(([sessionID, { list }]) => [sessionID, list]))
}

/** The cached lists that are still current. */
export function* unchangedLists(
  { tenantID, dialect, lists }: Scope,
  sessionIDs: string[],
): Program<Map<string, KnownList>> {
  const known = new Map<string, KnownList>()
  for (const id of sessionIDs) {
    const list = lists.get(tenantID, id)
    if (list !== null) known.set(id, list)
  }
  if (known.size === 0) return known
  const rows = yield* query(
    `SELECT s."id" AS "id", s."todoSeq" AS "todoSeq" FROM ${dialect.jsonRows("$1", { id: "text" }, "r")}
     CROSS JOIN "Session" s WHERE s."tenantID" = $2 AND s."id" = r."id"`,
    JSON.stringify([...known.keys()].map((id) => ({ id }))),
    tenantID,
  )
  const numbers = new Map(rows.map((row) => [text(row, "id"), number(row, "todoSeq")]))
  for (const [id, { seq }] of [...known]) if (numbers.get(id) !== seq) known.delete(id)
  return known
}

export function* readLists(scope: Scope, sessionIDs: string[]): Program<Map<string, KnownList>> {
  const { tenantID, dialect } = scope
  const rows = yield* query(
    `SELECT s."id" AS "id", s."todoSeq" AS "todoSeq", t."data" AS "data"
     FROM ${dialect.jsonRows("$1", { id: "text" }, "r")} CROSS JOIN "Session" s CROSS JOIN "Todo" t
     WHERE s."tenantID" = $2 AND s."id" = r."id" AND t."tenantID" = $2 AND t."sessionID" = r."id"
     ORDER BY t."position", t."id"`,
    JSON.stringify(sessionIDs.map((id) => ({ id }))),
    tenantID,
  )
  const lists = new Map<string, KnownList>()
  for (const row of rows) {
    const id = text(row, "id")
    const known = lists.get(id) ?? { seq: number(row, "todoSeq"), list: [] }
    lists.set(id, known)
    const todo = readable(scope, records.Todo, row)
    if (todo !== null) known.list.push(todo)
  }
  return lists
}
