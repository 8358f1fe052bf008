import { Todo } from "@docket/core/schema"
import { type Program, query, text } from "../sql/program.ts"
import type { Scope } from "./scope.ts"
import { stored, storedList } from "./stored.ts"

export function* todoList({ tenantID }: Scope, sessionID: string): Program<Todo[]> {
  const rows = yield* query(
    `SELECT "data" FROM "Todo" WHERE "tenantID" = $1 AND "sessionID" = $2 ORDER BY "position", "id"`,
    tenantID,
    sessionID,
  )
  return storedList(Todo, rows)
}

/** The lists that hold something, by session id: of a tree, or of the given sessions. */
export function* todoLists(
  { tenantID, dialect }: Scope,
  of: { rootID: string } | { sessionIDs: string[] },
): Program<Record<string, Todo[]>> {
  const rows =
    "rootID" in of
      ? yield* query(
          `SELECT "sessionID", "data" FROM "Todo" WHERE "tenantID" = $1 AND "rootID" = $2 ORDER BY "position", "id"`,
          tenantID,
          of.rootID,
        )
      : yield* query(
          `SELECT t."sessionID" AS "sessionID", t."data" AS "data" FROM ${dialect.jsonRows("$1", { id: "text" }, "r")}
           CROSS JOIN "Todo" t WHERE t."tenantID" = $2 AND t."sessionID" = r."id" ORDER BY t."position", t."id"`,
          JSON.stringify(of.sessionIDs.map((id) => ({ id }))),
          tenantID,
        )
  const lists: Record<string, Todo[]> = {}
  for (const row of rows) {
    const list = lists[text(row, "sessionID")] ?? []
    lists[text(row, "sessionID")] = list
    list.push(stored(Todo, row))
  }
  return lists
}
