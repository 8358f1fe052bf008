import { Message, Part, PermissionRequest, Session, Task, Turn } from "@docket/core/schema"
import type { Change } from "@docket/core/store"
import { number, type Program, query, type Row, text } from "../sql/program.ts"
import type { Scope } from "./scope.ts"
import { stored } from "./stored.ts"
import { todoLists } from "./todos.ts"

const tables = ["Session", "Message", "Part", "Turn", "Task", "PermissionRequest"] as const

/** `FeedStore.changesSince`. */
export function* changesSince(scope: Scope, rootID: string, since: number, limit: number): Program<Change[]> {
  const rows = yield* query(changesSql, scope.tenantID, rootID, since, limit)
  const withTodos = rows.filter((row) => row.kind === "todos").map((row) => text(row, "sessionID"))
  const lists = withTodos.length > 0 ? yield* todoLists(scope, withTodos) : {}
  return rows.map((row) => {
    const place = { rootID, seq: number(row, "seq") }
    if (row.kind !== "todos") return toChange(place, row, since)
    const sessionID = text(row, "sessionID")
    return { ...place, kind: "todos", sessionID, value: lists[sessionID] ?? [] }
  })
}

function toChange(place: { rootID: string; seq: number }, row: Row, since: number): Change {
  switch (row.kind) {
    case "Session":
      return { ...place, kind: "session", value: stored(Session, row), created: number(row, "createdSeq") > since }
    case "Message":
      return { ...place, kind: "message", value: stored(Message, row) }
    case "Part":
      return { ...place, kind: "part", value: stored(Part, row), quiet: false }
    case "Turn":
      return { ...place, kind: "turn", value: stored(Turn, row) }
    case "Task":
      return { ...place, kind: "task", value: stored(Task, row) }
    case "PermissionRequest":
      return { ...place, kind: "permission", value: stored(PermissionRequest, row) }
    case "session.remove":
      return { ...place, kind: "session.removed", sessionID: text(row, "sessionID") }
    case "message.remove":
      return {
        ...place,
        kind: "message.removed",
        sessionID: text(row, "sessionID"),
        messageID: text(row, "messageID"),
      }
    case "part.remove":
      return {
        ...place,
        kind: "part.removed",
        sessionID: text(row, "sessionID"),
        messageID: text(row, "messageID"),
        partID: text(row, "id"),
      }
    default:
      throw new TypeError(`there is no change of kind ${String(row.kind)}`)
  }
}

const nothing = { createdSeq: "0", id: "NULL", sessionID: "NULL", messageID: "NULL", data: "NULL" }

/** One statement, so that all tables are seen at one moment; each branch reads an index on (tree, seq). */
const changesSql = [
  ...tables.map((table) =>
    branch(table, "seq", `'${table}'`, {
      ...nothing,
      data: `"data"`,
      createdSeq: table === "Session" ? `"createdSeq"` : "0",
    }),
  ),
  branch("Session", "todoSeq", "'todos'", { ...nothing, sessionID: `"id"` }),
  branch("Removal", "seq", `"kind"`, { ...nothing, id: `"id"`, sessionID: `"sessionID"`, messageID: `"messageID"` }),
]
  .join(" UNION ALL ")
  .concat(` ORDER BY "seq" LIMIT $4`)

function branch(table: string, seq: string, kind: string, columns: typeof nothing): string {
  const fields = Object.entries(columns).map(([name, value]) => `${value} AS "${name}"`)
  return `SELECT * FROM (SELECT ${kind} AS "kind", "${seq}" AS "seq", ${fields.join(", ")} FROM "${table}"
    WHERE "tenantID" = $1 AND "rootID" = $2 AND "${seq}" > $3 ORDER BY "${seq}" LIMIT $4) AS "${table}_${seq}"`
}
