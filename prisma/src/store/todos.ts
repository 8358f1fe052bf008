import { Todo } from "@docket/core/schema"
import { number, type Program, query, text } from "../sql/program.ts"
import type { Scope } from "./scope.ts"
import { stored, storedList } from "./stored.ts"

export function* todoList({ tenantID }: Scope, sessionID: string): Program<Todo[]> {
  const rows = yield* query(
    `SELECT "data" FROM "Todo" WHERE "tenantID" = $1 AND "sessionID" = $2 ORDER BY "position"`,
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
          `SELECT "sessionID", "data" FROM "Todo" WHERE "tenantID" = $1 AND "rootID" = $2 ORDER BY "position"`,
          tenantID,
          of.rootID,
        )
      : yield* query(
          `SELECT t."sessionID" AS "sessionID", t."data" AS "data" FROM ${dialect.jsonRows("$1", { id: "text" }, "r")}
           CROSS JOIN "Todo" t WHERE t."tenantID" = $2 AND t."sessionID" = r."id" ORDER BY t."position"`,
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

/** Takes `count` numbers of the tenant's todo counter and answers with the first. */
export function* reserveTodoNumbers({ tenantID }: Scope, count: number): Program<number> {
  const [row] = yield* query(
    `INSERT INTO "Counter" ("tenantID", "name", "value") VALUES ($1, 'todo', $2)
     ON CONFLICT ("tenantID", "name") DO UPDATE SET "value" = "Counter"."value" + excluded."value"
     RETURNING "value"`,
    tenantID,
    count,
  )
  if (!row) throw new Error("the counter answered nothing")
  return number(row, "value") - count + 1
}
