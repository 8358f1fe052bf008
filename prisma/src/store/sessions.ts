import type { Session } from "@docket/core/schema"
import { listCursor, parseListCursor, type SessionListItem, type SessionStore } from "@docket/core/store"
import { number, type Program, query, text, type Value } from "../sql/program.ts"
import { shapes } from "./row-shapes.ts"
import { columnText } from "./rows.ts"
import type { Scope } from "./scope.ts"
import { stored, storedList } from "./stored.ts"

type ListQuery = Parameters<SessionStore["listRoots"]>[0]
type SessionPage = Awaited<ReturnType<SessionStore["listRoots"]>>

export function* listRoots(scope: Scope, list: ListQuery): Program<SessionPage> {
  const { sql, params } = listSql(scope, list)
  const rows = yield* query(sql, ...params)
  const page = rows.slice(0, list.limit)
  const last = page.at(-1)
  return {
    items: yield* listItems(scope, storedList(scope, shapes.Session, page)),
    // Of the row and not of the session: the last one may be unreadable.
    cursor: last && rows.length > list.limit ? listCursor(text(last, "id"), number(last, "updated")) : null,
  }
}

function listSql({ tenantID, dialect }: Scope, list: ListQuery): { sql: string; params: Value[] } {
  const params: Value[] = [tenantID, list.archived]
  const param = (value: Value) => `$${params.push(value)}`
  const conditions = [`"tenantID" = $1`, `"depth" = 0`, `"archived" = $2`]
  if (list.projectID !== undefined) conditions.push(`"projectID" = ${param(list.projectID)}`)
  if (list.search) conditions.push(dialect.contains(`"title"`, param(columnText(list.search))))
  if (list.cursor !== undefined) {
    const { updated, id } = parseListCursor(list.cursor)
    const time = param(updated)
    conditions.push(`("updated" < ${time} OR ("updated" = ${time} AND "id" > ${param(id)}))`)
  }
  const order = `ORDER BY "updated" DESC, "id" LIMIT ${param(list.limit + 1)}`
  return { sql: `SELECT "id", "updated", "data" FROM "Session" WHERE ${conditions.join(" AND ")} ${order}`, params }
}

function* listItems({ tenantID, dialect }: Scope, roots: Session[]): Program<SessionListItem[]> {
  if (roots.length === 0) return []
  const ids = JSON.stringify(roots.map(({ id }) => ({ id })))
  const source = dialect.jsonRows("$1", { id: "text" }, "r")
  const sums = yield* query(
    `SELECT s."rootID" AS "rootID", SUM(s."cost") AS "cost", SUM(s."tokens") AS "tokens",
       CAST(SUM(CASE WHEN s."status" <> 'idle' THEN 1 ELSE 0 END) AS INTEGER) AS "running",
       CAST(COUNT(*) AS INTEGER) AS "sessions"
     FROM ${source} CROSS JOIN "Session" s WHERE s."tenantID" = $2 AND s."rootID" = r."id" GROUP BY s."rootID"`,
    ids,
    tenantID,
  )
  const pending = yield* query(
    `SELECT p."rootID" AS "rootID", CAST(COUNT(*) AS INTEGER) AS "count"
     FROM ${source} CROSS JOIN "PermissionRequest" p
     WHERE p."tenantID" = $2 AND p."rootID" = r."id" AND p."status" = 'pending' GROUP BY p."rootID"`,
    ids,
    tenantID,
  )
  const needs = new Map(pending.map((row) => [text(row, "rootID"), number(row, "count")]))
  const trees = new Map(sums.map((row) => [text(row, "rootID"), row]))
  return roots.map((session) => {
    const row = trees.get(session.id) ?? { running: 0, cost: 0, tokens: 0, sessions: 1 }
    return {
      session,
      running: number(row, "running"),
      needsYou: needs.get(session.id) ?? 0,
      treeCost: number(row, "cost"),
      treeTokens: number(row, "tokens"),
      children: number(row, "sessions") - 1,
    }
  })
}

/** Sessions by one column, root first, then by creation (ids of sessions descend). */
export function* sessionsBy(scope: Scope, column: "rootID" | "parentID", id: string): Program<Session[]> {
  const { tenantID } = scope
  const rows = yield* query(
    `SELECT "data" FROM "Session" WHERE "tenantID" = $1 AND "${column}" = $2
     ORDER BY CASE WHEN "depth" = 0 THEN 0 ELSE 1 END, "created", "id" DESC`,
    tenantID,
    id,
  )
  return storedList(scope, shapes.Session, rows)
}

export function* childByOrigin({ tenantID }: Scope, parentID: string, callID: string): Program<Session | null> {
  const rows = yield* query(
    `SELECT "data" FROM "Session" WHERE "tenantID" = $1 AND "parentID" = $2 AND "originCallID" = $3
     ORDER BY "created", "id" DESC LIMIT 1`,
    tenantID,
    parentID,
    columnText(callID),
  )
  return rows[0] ? stored(shapes.Session, rows[0]) : null
}
