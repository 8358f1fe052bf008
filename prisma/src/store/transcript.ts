import type { Message, MessageWithParts, Part } from "@docket/core/schema"
import type { MessagePage, TranscriptStore } from "@docket/core/store"
import { type Program, query, type Row, text, type Value } from "../sql/program.ts"
import { shapes } from "./row-shapes.ts"
import type { Scope } from "./scope.ts"
import { readable, storedList } from "./stored.ts"

type PageQuery = Parameters<TranscriptStore["page"]>[0]

export function* page(scope: Scope, request: PageQuery): Program<MessagePage> {
  const { sessionID, limit } = request
  const around = yield* anchor(scope, request.around)
  let rows: Row[]
  if (around !== undefined) {
    const older = yield* messages(scope, sessionID, { before: around, limit: Math.floor(limit / 2) })
    rows = [...older, ...(yield* messages(scope, sessionID, { from: around, limit: Math.ceil(limit / 2) }))]
  } else if (request.after !== undefined) {
    rows = yield* messages(scope, sessionID, { after: request.after, limit })
  } else {
    rows = yield* messages(scope, sessionID, { before: request.before, limit })
  }
  const first = rows[0] ? text(rows[0], "id") : null
  const last = first === null ? null : text(rows.at(-1) ?? {}, "id")
  if (first === null || last === null) return { items: [], before: null, after: null }
  const older = yield* messages(scope, sessionID, { before: first, limit: 1 })
  const newer = yield* messages(scope, sessionID, { after: last, limit: 1 })
  return {
    items: yield* withParts(scope, rows),
    before: older.length > 0 ? first : null,
    after: newer.length > 0 ? last : null,
  }
}

/** The message id to centre on; undefined when there is none, or when the part does not exist. */
function* anchor({ tenantID }: Scope, id: string | undefined): Program<string | undefined> {
  if (id === undefined || id.startsWith("msg_")) return id
  const [row] = yield* query(`SELECT "messageID" FROM "Part" WHERE "tenantID" = $1 AND "id" = $2`, tenantID, id)
  return row && text(row, "messageID")
}

interface Range {
  before?: string | undefined
  after?: string
  from?: string
  limit: number
}

/** Message rows on one side of an id, or the newest, ascending. */
function* messages({ tenantID }: Scope, sessionID: string, range: Range): Program<Row[]> {
  const { before, after, from, limit } = range
  const params: Value[] = [tenantID, sessionID, limit]
  const bound = after ?? from ?? before
  const compare = after !== undefined ? ">" : from !== undefined ? ">=" : "<"
  const condition = bound === undefined ? "" : `AND "id" ${compare} $${params.push(bound)}`
  const descending = compare === "<"
  const rows = yield* query(
    `SELECT "id", "data" FROM "Message" WHERE "tenantID" = $1 AND "sessionID" = $2 ${condition}
     ORDER BY "id" ${descending ? "DESC" : "ASC"} LIMIT $3`,
    ...params,
  )
  return descending ? rows.reverse() : rows
}

function* withParts(scope: Scope, messages: Row[]): Program<MessageWithParts[]> {
  const { tenantID, dialect } = scope
  const rows = yield* query(
    // IN and not JOIN: SQLite would walk all parts and look each one up in the list.
    `SELECT "messageID", "data" FROM "Part"
     WHERE "tenantID" = $2 AND "messageID" IN (SELECT r."id" FROM ${dialect.jsonRows("$1", { id: "text" }, "r")})
     ORDER BY "messageID", "id"`,
    JSON.stringify(messages.map((row) => ({ id: text(row, "id") }))),
    tenantID,
  )
  const parts = Map.groupBy(rows, (row) => text(row, "messageID"))
  return messages.flatMap((row) => {
    const info = readable(scope, shapes.Message, row)
    return info === null ? [] : { info, parts: storedList(scope, shapes.Part, parts.get(text(row, "id")) ?? []) }
  })
}

export function* sinceCompaction(scope: Scope, sessionID: string): Program<MessageWithParts[]> {
  const rows = yield* query(
    `SELECT "id", "data" FROM "Message" WHERE "tenantID" = $1 AND "sessionID" = $2 AND "id" >= COALESCE((
       SELECT MAX("id") FROM "Message" WHERE "tenantID" = $1 AND "sessionID" = $2 AND "summary" = TRUE
     ), '') ORDER BY "id"`,
    scope.tenantID,
    sessionID,
  )
  return yield* withParts(scope, rows)
}

export function* openToolParts(scope: Scope, sessionID: string): Program<Part[]> {
  const { tenantID } = scope
  const rows = yield* query(
    `SELECT "data" FROM "Part"
     WHERE "tenantID" = $1 AND "sessionID" = $2 AND "toolStatus" IN ('pending', 'running')`,
    tenantID,
    sessionID,
  )
  // Sorted here: for an ORDER BY, SQLite would walk all parts of the tenant along the index of that order.
  return storedList(scope, shapes.Part, rows).sort((a, b) => (a.messageID + a.id < b.messageID + b.id ? -1 : 1))
}

export function* openMessages(scope: Scope, sessionID: string): Program<Message[]> {
  const { tenantID } = scope
  const rows = yield* query(
    `SELECT "data" FROM "Message" WHERE "tenantID" = $1 AND "sessionID" = $2 AND "open" = TRUE ORDER BY "id"`,
    tenantID,
    sessionID,
  )
  return storedList(scope, shapes.Message, rows)
}
