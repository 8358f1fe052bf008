import type { MessageWithParts } from "@docket/core/schema"
import { type MessagePage, records, type TranscriptStore } from "@docket/core/store"
import type { RowShape } from "../row/row-data.ts"
import { readable, storedList, storedOrNull } from "../row/stored.ts"
import { type Program, query, type Row, text } from "../sql/program.ts"
import { partsOfMessages } from "./parts-of-messages.ts"
import { data, type StoreScope } from "./store-scope.ts"

type PageQuery = Parameters<TranscriptStore["page"]>[0]
/** Where a range of messages begins or ends, by id. */
interface Bound {
  side: "<" | ">" | ">="
  id: string
}

export function transcriptStore(scope: StoreScope): TranscriptStore {
  const { tenantID, read } = scope
  return {
    page: (query) => read({ program: () => page(scope, query) }),
    sinceCompaction: (sessionID) => read({ program: () => sinceCompaction(scope, sessionID) }),
    async part(id) {
      const where = { tenantID_id: { tenantID, id } }
      return storedOrNull(scope, records.Part, await read(({ part }) => part.findUnique({ where, select: data })))
    },
    async named({ messageIDs, partIDs }) {
      const [messages, parts] = await Promise.all([
        messageIDs.length === 0 ? [] : read({ program: () => rowsNamed(scope, records.Message, messageIDs) }),
        partIDs.length === 0 ? [] : read({ program: () => rowsNamed(scope, records.Part, partIDs) }),
      ])
      return { messages, parts }
    },
    async openToolParts(sessionID) {
      const where = { tenantID, sessionID, toolStatus: { in: ["pending", "running"] } }
      const rows = await read(({ part }) => part.findMany({ where, select: data }))
      // Sorted here: with ORDER BY, SQLite would read all parts of the tenant in the order of that index.
      return storedList(scope, records.Part, rows).sort((a, b) => (a.messageID + a.id < b.messageID + b.id ? -1 : 1))
    },
    async openMessages(sessionID) {
      const where = { tenantID, sessionID, open: true }
      const rows = await read(({ message }) => message.findMany({ where, orderBy: { id: "asc" }, select: data }))
      return storedList(scope, records.Message, rows)
    },
  }
}

/** The existing rows with these ids, in one statement. */
function* rowsNamed<T>(scope: StoreScope, shape: RowShape<T>, ids: readonly string[]): Program<T[]> {
  const rows = yield* query(
    `SELECT t."data" AS "data" FROM "${shape.name}" t WHERE t."tenantID" = $2
     AND t."id" IN (SELECT r."id" FROM ${scope.dialect.jsonRows("$1", { id: "text" }, "r")})`,
    JSON.stringify([...new Set(ids)].map((id) => ({ id }))),
    scope.tenantID,
  )
  return storedList(scope, shape, rows)
}

// Every opened session reads a page, and so does every turn that has no cached transcript. As a program, a page of 50
// messages takes half the time of client calls.

function* page(scope: StoreScope, query: PageQuery): Program<MessagePage> {
  const rows = yield* pageRows(scope, query)
  const [first, last] = [rows[0], rows.at(-1)].map((row) => row && text(row, "id"))
  if (first === undefined || last === undefined) return { items: [], before: null, after: null }
  const { sessionID } = query
  const older = yield* messages(scope, sessionID, { side: "<", id: first }, 1)
  const newer = yield* messages(scope, sessionID, { side: ">", id: last }, 1)
  return {
    items: yield* withParts(scope, rows),
    before: older.length > 0 ? first : null,
    after: newer.length > 0 ? last : null,
  }
}

function* pageRows(scope: StoreScope, query: PageQuery): Program<Row[]> {
  const { sessionID, limit } = query
  const around = yield* anchor(scope, query.around)
  if (around !== undefined) {
    const older = yield* messages(scope, sessionID, { side: "<", id: around }, Math.floor(limit / 2))
    return [...older, ...(yield* messages(scope, sessionID, { side: ">=", id: around }, Math.ceil(limit / 2)))]
  }
  if (query.after !== undefined) return yield* messages(scope, sessionID, { side: ">", id: query.after }, limit)
  const before = query.before === undefined ? null : ({ side: "<", id: query.before } as const)
  return yield* messages(scope, sessionID, before, limit)
}

/** The message id to centre on; undefined when there is none, or when the part does not exist. */
function* anchor({ tenantID }: StoreScope, id: string | undefined): Program<string | undefined> {
  if (id === undefined || id.startsWith("msg_")) return id
  const [row] = yield* query(`SELECT "messageID" FROM "Part" WHERE "tenantID" = $1 AND "id" = $2`, tenantID, id)
  return row && text(row, "messageID")
}

/** Message rows on one side of an id, or the newest, ascending. */
function* messages({ tenantID }: StoreScope, sessionID: string, bound: Bound | null, limit: number): Program<Row[]> {
  const isBackward = bound === null || bound.side === "<"
  const rows = yield* query(
    `SELECT "id", "data" FROM "Message"
     WHERE "tenantID" = $1 AND "sessionID" = $2 ${bound === null ? "" : `AND "id" ${bound.side} $4`}
     ORDER BY "id" ${isBackward ? "DESC" : "ASC"} LIMIT $3`,
    ...[tenantID, sessionID, limit, ...(bound === null ? [] : [bound.id])],
  )
  return isBackward ? rows.reverse() : rows
}

function* sinceCompaction(scope: StoreScope, sessionID: string): Program<MessageWithParts[]> {
  const rows = yield* query(
    // COALESCE and not OR: with OR, SQLite would read the whole session instead of starting at the summary.
    `SELECT "id", "data" FROM "Message" WHERE "tenantID" = $1 AND "sessionID" = $2 AND "id" >= COALESCE(
       (SELECT MAX("id") FROM "Message" WHERE "tenantID" = $1 AND "sessionID" = $2 AND "summary"), '')
     ORDER BY "id"`,
    scope.tenantID,
    sessionID,
  )
  return yield* withParts(scope, rows)
}

function* withParts(scope: StoreScope, rows: Row[]): Program<MessageWithParts[]> {
  const ids = rows.map((row) => text(row, "id"))
  const parts = Map.groupBy(yield* partsOfMessages(scope, ids), ({ messageID }) => messageID)
  return rows.flatMap((row) => {
    const info = readable(scope, records.Message, row)
    return info === null ? [] : { info, parts: parts.get(info.id) ?? [] }
  })
}
