import { type FeedChange, records } from "@docket/core/store"
import { readable } from "../row/stored.ts"
import { number, type Program, query, type Row, text } from "../sql/program.ts"
import type { Scope } from "./scope.ts"
import { todoLists } from "./todo-lists.ts"

const tables = [
  "Session",
  "Message",
  "Part",
  "Turn",
  "Task",
  "PermissionRequest",
  "ReviewThread",
  "ReviewComment",
  "ReviewVerdict",
  "ReviewViewed",
] as const

/** `FeedStore.changesSince`. */
export function* changesSince(scope: Scope, rootID: string, since: number, limit: number): Program<FeedChange[]> {
  const rows = yield* query(changesSql, scope.tenantID, rootID, since, limit)
  const withTodos = rows.filter((row) => row.kind === "todos").map((row) => text(row, "sessionID"))
  const lists = withTodos.length > 0 ? yield* todoLists(scope, withTodos) : {}
  return rows.map((row) => {
    const place = { rootID, seq: number(row, "seq") }
    if (row.kind !== "todos") return toChange(scope, place, row, since)
    const sessionID = text(row, "sessionID")
    return { ...place, kind: "todos", sessionID, value: lists[sessionID] ?? [] }
  })
}

function toChange(scope: Scope, place: { rootID: string; seq: number }, row: Row, since: number): FeedChange {
  switch (row.kind) {
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
      // A reader's cursor must pass an unreadable row, so it gets a change of its own.
      return { ...place, ...(rowChange(scope, row, since) ?? { kind: "unreadable" }) }
  }
}

/** The change for a row; null when the row is unreadable. */
function rowChange(scope: Scope, row: Row, since: number) {
  switch (row.kind) {
    case "Session": {
      const value = readable(scope, records.Session, row)
      return value && ({ kind: "session", value, created: number(row, "createdSeq") > since } as const)
    }
    case "Message": {
      const value = readable(scope, records.Message, row)
      return value && ({ kind: "message", value } as const)
    }
    case "Part": {
      const value = readable(scope, records.Part, row)
      return value && ({ kind: "part", value, quiet: false } as const)
    }
    case "Turn": {
      const value = readable(scope, records.Turn, row)
      return value && ({ kind: "turn", value } as const)
    }
    case "Task": {
      const value = readable(scope, records.Task, row)
      return value && ({ kind: "task", value } as const)
    }
    case "PermissionRequest": {
      const value = readable(scope, records.PermissionRequest, row)
      return value && ({ kind: "permission", value } as const)
    }
    case "ReviewThread": {
      const value = readable(scope, records.ReviewThread, row)
      return value && ({ kind: "thread", value } as const)
    }
    case "ReviewComment": {
      const value = readable(scope, records.ReviewComment, row)
      return value && ({ kind: "comment", value } as const)
    }
    case "ReviewVerdict": {
      const value = readable(scope, records.ReviewVerdict, row)
      return value && ({ kind: "verdict", value } as const)
    }
    case "ReviewViewed": {
      const value = readable(scope, records.ReviewViewed, row)
      return value && ({ kind: "viewed", value } as const)
    }
    default:
      throw new TypeError(`there is no change of kind ${String(row.kind)}`)
  }
}

/** SQL of the columns that only some branches have. */
const noColumns = { createdSeq: "0", id: "NULL", sessionID: "NULL", messageID: "NULL", data: "NULL" }

/** One statement, so that all tables are read from one snapshot; each branch uses an index on (tree, seq). */
const changesSql = [
  ...tables.map((table) =>
    branch(table, "seq", `'${table}'`, {
      ...noColumns,
      data: `"data"`,
      createdSeq: table === "Session" ? `"createdSeq"` : "0",
    }),
  ),
  branch("Session", "todoSeq", "'todos'", { ...noColumns, sessionID: `"id"` }),
  branch("Removal", "seq", `"kind"`, { ...noColumns, id: `"id"`, sessionID: `"sessionID"`, messageID: `"messageID"` }),
]
  .join(" UNION ALL ")
  .concat(` ORDER BY "seq" LIMIT $4`)

/** A SELECT of the union; `kindSql` and the values of `columns` are SQL, the other texts are names. */
function branch(table: string, seqColumn: string, kindSql: string, columns: typeof noColumns): string {
  const fields = Object.entries(columns).map(([name, value]) => `${value} AS "${name}"`)
  const others = fields.join(", ")
  const seq = `"${seqColumn}"`
  return `SELECT * FROM (SELECT ${kindSql} AS "kind", ${seq} AS "seq", ${others} FROM "${table}"
    WHERE "tenantID" = $1 AND "rootID" = $2 AND ${seq} > $3 ORDER BY ${seq} LIMIT $4) AS "${table}_${seqColumn}"`
}
