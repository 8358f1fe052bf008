import type { Hidden, ShareCopy, ShareCopyStore, ShareRow, ShareRowKind, ShareRowPage } from "@docket/core/store"
import { number, type Program, query, type Row, text, upsert, type Value } from "../sql/program.ts"
import type { StoreScope } from "./store-scope.ts"

/**
 * The copies for shares. Programs, because a copy is written with its cursor in one transaction and read for every
 * viewer.
 */
export function shareCopyStore(scope: StoreScope): ShareCopyStore {
  const { read, write, tenantID } = scope
  return {
    open: (shareID) => write({ program: () => open(scope, shareID) }),
    get: (shareID) => read({ program: () => get(scope, shareID) }),
    publish: (shareID, news) => write({ program: () => publish(scope, shareID, news) }),
    rows: (shareID, kinds) => read({ program: () => rowsOf(scope, shareID, kinds) }),
    page: (shareID, asked) => read({ program: () => page(scope, shareID, asked) }),
    part: (shareID, id) => read({ program: () => part(scope, shareID, id) }),
    changesSince: (shareID, seq, limit) =>
      read({
        program: () => select(scope, shareID, { where: `"seq" > $3`, order: `"seq" LIMIT $4`, params: [seq, limit] }),
      }),
    hidden: (shareID) => read({ program: () => hidden(scope, shareID) }),
    visit: (shareID, now) =>
      write({
        program: () =>
          execute(
            `UPDATE "ShareCopy" SET "views" = "views" + 1, "viewed" = $3 WHERE "tenantID" = $1 AND "id" = $2`,
            tenantID,
            shareID,
            now,
          ),
      }),
    remove: (shareID) =>
      write({
        program: () => execute(`DELETE FROM "ShareCopy" WHERE "tenantID" = $1 AND "id" = $2`, tenantID, shareID),
      }),
  }
}

function* execute(sql: string, ...params: Value[]): Program<void> {
  yield* query(sql, ...params)
}

function* open(scope: StoreScope, shareID: string): Program<ShareCopy | null> {
  const { tenantID, dialect } = scope
  // Locked, so that the share cannot be revoked between this check and the copy.
  const [share] = yield* query(
    `SELECT s."revoked" AS "revoked" FROM "Share" s WHERE s."tenantID" = $1 AND s."id" = $2 ${dialect.lockRows("s")}`,
    tenantID,
    shareID,
  )
  if (share === undefined || share.revoked !== null) return null
  yield* query(
    `INSERT INTO "ShareCopy" ("tenantID", "id", "cursor", "seq", "views", "viewed", "data")
     VALUES ($1, $2, 0, 0, 0, NULL, '{}') ON CONFLICT DO NOTHING`,
    tenantID,
    shareID,
  )
  return yield* get(scope, shareID)
}

function* get({ tenantID }: StoreScope, shareID: string): Program<ShareCopy | null> {
  const [row] = yield* query(
    `SELECT "cursor", "seq", "views", "viewed", "data", "known", "met" FROM "ShareCopy" WHERE "tenantID" = $1 AND "id" = $2`,
    tenantID,
    shareID,
  )
  return row === undefined ? null : toCopy(row)
}

function* publish(
  { tenantID, dialect }: StoreScope,
  shareID: string,
  { from, to, undone, known, met, rows }: Parameters<ShareCopyStore["publish"]>[1],
): Program<ShareRow[] | null> {
  const [copy] = yield* query(
    `SELECT c."cursor" AS "cursor", c."seq" AS "seq" FROM "ShareCopy" c
     WHERE c."tenantID" = $1 AND c."id" = $2 ${dialect.lockRows("c")}`,
    tenantID,
    shareID,
  )
  if (copy === undefined || number(copy, "cursor") !== from) return null
  const seq = number(copy, "seq")
  const numbered = rows.map((row, index) => ({ ...row, seq: seq + index + 1 }))
  const stored = numbered.map((row) => ({
    ...row,
    tenantID,
    shareID,
    id: `${shareID}/${row.id}`,
    hidden: JSON.stringify(row.hidden),
  }))
  yield* upsert("ShareRow", stored)
  yield* query(
    `UPDATE "ShareCopy" SET "cursor" = $3, "seq" = $4, "data" = $5, "known" = $6, "met" = $7
     WHERE "tenantID" = $1 AND "id" = $2`,
    tenantID,
    shareID,
    to,
    seq + rows.length,
    JSON.stringify(undone),
    JSON.stringify(known),
    JSON.stringify(met),
  )
  return numbered
}

const columns = `"id", "kind", "sessionID", "messageID", "seq", "data", "hidden"`

interface Selection {
  /** Conditions on the rows of the share; parameters begin with `$3`. */
  where: string
  order: string
  params: readonly Value[]
}

function* select({ tenantID }: StoreScope, shareID: string, { where, order, params }: Selection): Program<ShareRow[]> {
  const sql = `SELECT ${columns} FROM "ShareRow" WHERE "tenantID" = $1 AND "shareID" = $2 AND ${where} ORDER BY ${order}`
  return (yield* query(sql, tenantID, shareID, ...params)).map((row) => toRow(shareID, row))
}

function* rowsOf(scope: StoreScope, shareID: string, kinds: readonly ShareRowKind[]): Program<ShareRow[]> {
  const places = kinds.map((_, index) => `$${index + 3}`).join(", ")
  return yield* select(scope, shareID, { where: `"kind" IN (${places})`, order: `"id"`, params: kinds })
}

/** The sums are computed here: the database only groups equal rows, of which few differ. */
function* hidden({ tenantID }: StoreScope, shareID: string): Program<Hidden> {
  const rows = yield* query(
    `SELECT "hidden", CAST(COUNT(*) AS INTEGER) AS "rows" FROM "ShareRow"
     WHERE "tenantID" = $1 AND "shareID" = $2 AND "hidden" <> '{}' GROUP BY "hidden"`,
    tenantID,
    shareID,
  )
  const sums: Record<string, number> = {}
  for (const row of rows)
    for (const [label, count] of Object.entries(toHidden(row)))
      sums[label] = (sums[label] ?? 0) + count * number(row, "rows")
  return sums
}

/** The cast is safe: only `publish` writes the column. */
function toHidden(row: Row): Hidden {
  return JSON.parse(text(row, "hidden")) as Hidden
}

type PageQuery = Parameters<ShareCopyStore["page"]>[1]

function* page(scope: StoreScope, shareID: string, asked: PageQuery): Program<ShareRowPage> {
  const messages = yield* pageRows(scope, shareID, asked)
  const [first, last] = [messages[0]?.id, messages.at(-1)?.id]
  if (first === undefined || last === undefined) return { messages, parts: [], before: null, after: null }
  const { sessionID } = asked
  const older = yield* onSide(scope, shareID, { sessionID, side: "<", id: first, limit: 1 })
  const newer = yield* onSide(scope, shareID, { sessionID, side: ">", id: last, limit: 1 })
  const places = messages.map((_, index) => `$${index + 3}`).join(", ")
  const parts = yield* select(scope, shareID, {
    where: `"kind" = 'part' AND "messageID" IN (${places})`,
    order: `"id"`,
    params: messages.map(({ id }) => id),
  })
  return { messages, parts, before: older.length > 0 ? first : null, after: newer.length > 0 ? last : null }
}

function* pageRows(scope: StoreScope, shareID: string, asked: PageQuery): Program<ShareRow[]> {
  const { sessionID, limit } = asked
  const around = yield* anchor(scope, shareID, asked.around)
  if (around !== undefined) {
    const older = yield* onSide(scope, shareID, { sessionID, side: "<", id: around, limit: Math.floor(limit / 2) })
    const newer = yield* onSide(scope, shareID, { sessionID, side: ">=", id: around, limit: Math.ceil(limit / 2) })
    return [...older, ...newer]
  }
  if (asked.after !== undefined) return yield* onSide(scope, shareID, { sessionID, side: ">", id: asked.after, limit })
  return yield* onSide(scope, shareID, { sessionID, side: "<", id: asked.before ?? "~", limit })
}

/** The message to centre on; undefined when there is none, or when the part is not in the copy. */
function* anchor(scope: StoreScope, shareID: string, id: string | undefined): Program<string | undefined> {
  if (id === undefined || id.startsWith("msg_")) return id
  return (yield* part(scope, shareID, id))?.messageID ?? undefined
}

function* part(scope: StoreScope, shareID: string, id: string): Program<ShareRow | null> {
  const where = { where: `"id" = $3 AND "kind" = 'part'`, order: `"id"`, params: [`${shareID}/${id}`] }
  return (yield* select(scope, shareID, where))[0] ?? null
}

/** Messages on one side of an id, ascending. `~` sorts after every id. */
function* onSide(
  scope: StoreScope,
  shareID: string,
  { sessionID, side, id, limit }: { sessionID: string; side: "<" | ">" | ">="; id: string; limit: number },
): Program<ShareRow[]> {
  const rows = yield* select(scope, shareID, {
    where: `"sessionID" = $3 AND "kind" = 'message' AND "id" ${side} $4`,
    order: `"id" ${side === "<" ? "DESC" : "ASC"} LIMIT $5`,
    params: [sessionID, `${shareID}/${id}`, limit],
  })
  return side === "<" ? rows.reverse() : rows
}

function toCopy(row: Row): ShareCopy {
  const { viewed } = row
  return {
    cursor: number(row, "cursor"),
    seq: number(row, "seq"),
    // The casts are safe: only `publish` writes these columns.
    undone: JSON.parse(text(row, "data")) as ShareCopy["undone"],
    known: JSON.parse(text(row, "known")) as ShareCopy["known"],
    met: JSON.parse(text(row, "met")) as ShareCopy["met"],
    views: number(row, "views"),
    viewed: typeof viewed === "number" ? viewed : null,
  }
}

function toRow(shareID: string, row: Row): ShareRow {
  const { messageID } = row
  return {
    id: text(row, "id").slice(shareID.length + 1),
    // The cast is safe: the column is only written from this type.
    kind: text(row, "kind") as ShareRowKind,
    sessionID: text(row, "sessionID"),
    messageID: typeof messageID === "string" ? messageID : null,
    seq: number(row, "seq"),
    hidden: toHidden(row),
    data: text(row, "data"),
  }
}
