import type { MessageWithParts } from "@docket/core/schema"
import type { MessagePage, TranscriptStore } from "@docket/core/store"
import { shapes } from "../row/row-shapes.ts"
import { readable, storedList, storedOrNull } from "../row/stored.ts"
import { partsOfMessages } from "./parts-of-messages.ts"
import { data, type StoreScope } from "./store-scope.ts"

type PageQuery = Parameters<TranscriptStore["page"]>[0]
/** Where messages begin or end, by id. */
type Bound = { lt: string } | { gt: string } | { gte: string }
type MessageRow = { id: string; data: string }

const idAndData = { id: true, data: true } as const

export function transcriptStore(scope: StoreScope): TranscriptStore {
  const { tenantID, read } = scope
  return {
    page: (query) => page(scope, query),
    sinceCompaction: (sessionID) => sinceCompaction(scope, sessionID),
    async part(id) {
      const where = { tenantID_id: { tenantID, id } }
      return storedOrNull(scope, shapes.Part, await read(({ part }) => part.findUnique({ where, select: data })))
    },
    async openToolParts(sessionID) {
      const where = { tenantID, sessionID, toolStatus: { in: ["pending", "running"] } }
      const rows = await read(({ part }) => part.findMany({ where, select: data }))
      // Sorted here: for an ORDER BY, SQLite would walk all parts of the tenant along the index of that order.
      return storedList(scope, shapes.Part, rows).sort((a, b) => (a.messageID + a.id < b.messageID + b.id ? -1 : 1))
    },
    async openMessages(sessionID) {
      const where = { tenantID, sessionID, open: true }
      const rows = await read(({ message }) => message.findMany({ where, orderBy: { id: "asc" }, select: data }))
      return storedList(scope, shapes.Message, rows)
    },
  }
}

async function page(scope: StoreScope, query: PageQuery): Promise<MessagePage> {
  const rows = await pageRows(scope, query)
  const first = rows[0]?.id
  const last = rows.at(-1)?.id
  if (first === undefined || last === undefined) return { items: [], before: null, after: null }
  const { sessionID } = query
  const [older, newer, items] = await Promise.all([
    messages(scope, sessionID, { lt: first }, 1),
    messages(scope, sessionID, { gt: last }, 1),
    withParts(scope, rows),
  ])
  return { items, before: older.length > 0 ? first : null, after: newer.length > 0 ? last : null }
}

async function pageRows(scope: StoreScope, query: PageQuery): Promise<MessageRow[]> {
  const { sessionID, limit } = query
  const around = await anchor(scope, query.around)
  if (around !== undefined) {
    const older = await messages(scope, sessionID, { lt: around }, Math.floor(limit / 2))
    return [...older, ...(await messages(scope, sessionID, { gte: around }, Math.ceil(limit / 2)))]
  }
  if (query.after !== undefined) return messages(scope, sessionID, { gt: query.after }, limit)
  return messages(scope, sessionID, query.before === undefined ? undefined : { lt: query.before }, limit)
}

/** The message id to centre on; undefined when there is none, or when the part does not exist. */
async function anchor({ tenantID, read }: StoreScope, id: string | undefined): Promise<string | undefined> {
  if (id === undefined || id.startsWith("msg_")) return id
  const where = { tenantID_id: { tenantID, id } }
  const found = await read(({ part }) => part.findUnique({ where, select: { messageID: true } }))
  return found?.messageID
}

/** Message rows on one side of an id, or the newest, ascending. */
async function messages(
  { tenantID, read }: StoreScope,
  sessionID: string,
  id: Bound | undefined,
  take: number,
): Promise<MessageRow[]> {
  const where = { tenantID, sessionID, ...(id !== undefined && { id }) }
  const isBackward = id === undefined || "lt" in id
  const rows = await read(({ message }) =>
    message.findMany({ where, orderBy: { id: isBackward ? "desc" : "asc" }, take, select: idAndData }),
  )
  return isBackward ? rows.reverse() : rows
}

async function sinceCompaction(scope: StoreScope, sessionID: string): Promise<MessageWithParts[]> {
  const { tenantID, read } = scope
  const where = { tenantID, sessionID }
  const { _max } = await read(({ message }) =>
    message.aggregate({ where: { ...where, summary: true }, _max: { id: true } }),
  )
  const kept = { ...where, ...(_max.id !== null && { id: { gte: _max.id } }) }
  const rows = await read(({ message }) => message.findMany({ where: kept, orderBy: { id: "asc" }, select: idAndData }))
  return withParts(scope, rows)
}

async function withParts(scope: StoreScope, rows: MessageRow[]): Promise<MessageWithParts[]> {
  const ids = rows.map(({ id }) => id)
  const parts = Map.groupBy(await scope.read(partsOfMessages(scope, ids)), ({ messageID }) => messageID)
  return rows.flatMap((row) => {
    const info = readable(scope, shapes.Message, row)
    return info === null ? [] : { info, parts: parts.get(info.id) ?? [] }
  })
}
