import { partDocument, records, type SearchDocument, type SearchProgress, titleDocument } from "@docket/core/store"
import { readable, storedList } from "../row/stored.ts"
import { number, type Program, query, type Row, text } from "../sql/program.ts"
import type { SearchEngine } from "./search-engine.ts"
import type { StoreScope } from "./store-scope.ts"

/** Another process indexed the same changes meanwhile: this transaction is rolled back. */
export class IndexedElsewhereError extends Error {
  override readonly name = "IndexedElsewhereError"
}

interface Behind {
  rootID: string
  /** Everything up to this sequence number is in the index. */
  done: number
  head: number
}

/** Indexes the next changes of a tree, in order of their sequence numbers, so that no change is missed. */
export function* indexChanges(scope: StoreScope, engine: SearchEngine, limit: number): Program<boolean> {
  const tree = yield* nextBehind(scope)
  if (tree === null) return false
  const rows = yield* changedParts(scope, tree, limit)
  const { parts, taken } = documentsOf(scope, tree.rootID, rows)
  const last = rows[taken - 1]
  const to = last !== undefined && (taken < rows.length || taken === limit) ? number(last, "seq") : tree.head
  yield* engine.write(scope, [...(yield* changedTitles(scope, tree, to)), ...parts])
  yield* moveCursor(scope, tree, to)
  return true
}

/** Newest tree first: session ids descend. */
function* nextBehind({ tenantID }: StoreScope): Program<Behind | null> {
  const [row] = yield* query(
    `SELECT t."rootID" AS "rootID", t."seq" AS "head", COALESCE(c."seq", 0) AS "done" FROM "Tree" t
     LEFT JOIN "SearchCursor" c ON c."tenantID" = $1 AND c."rootID" = t."rootID"
     WHERE t."tenantID" = $1 AND t."alive" = TRUE AND t."seq" > COALESCE(c."seq", 0) ORDER BY t."rootID" LIMIT 1`,
    tenantID,
  )
  return row === undefined
    ? null
    : { rootID: text(row, "rootID"), done: number(row, "done"), head: number(row, "head") }
}

function* changedParts({ tenantID }: StoreScope, { rootID, done, head }: Behind, limit: number): Program<Row[]> {
  return yield* query(
    `SELECT p."data" AS "data", p."seq" AS "seq", m."data" AS "message" FROM "Part" p
     JOIN "Message" m ON m."tenantID" = $1 AND m."id" = p."messageID"
     WHERE p."tenantID" = $1 AND p."rootID" = $2 AND p."seq" > $3 AND p."seq" <= $4 ORDER BY p."seq" LIMIT $5`,
    ...[tenantID, rootID, done, head, limit],
  )
}

/** UTF-16 units of words per step: on SQLite, nothing else runs meanwhile. */
const unitsPerStep = 32_000

/** The documents of the first rows, and the number of these rows: at least one, and not more than one step takes. */
function documentsOf(scope: StoreScope, rootID: string, rows: readonly Row[]) {
  const parts: SearchDocument[] = []
  let [taken, units] = [0, 0]
  for (const row of rows) {
    if (units >= unitsPerStep) break
    const document = documentOf(scope, rootID, row)
    if (document !== null) parts.push(document)
    units += document?.words.length ?? 0
    taken += 1
  }
  return { parts, taken }
}

function documentOf(scope: StoreScope, rootID: string, row: Row): SearchDocument | null {
  const part = readable(scope, records.Part, row)
  const message = part && readable(scope, records.Message, { data: row.message })
  return part && message && partDocument(part, message, rootID)
}

function* changedTitles({ tenantID, ...scope }: StoreScope, tree: Behind, to: number): Program<SearchDocument[]> {
  const rows = yield* query(
    `SELECT "data" FROM "Session" WHERE "tenantID" = $1 AND "rootID" = $2 AND "seq" > $3 AND "seq" <= $4`,
    ...[tenantID, tree.rootID, tree.done, to],
  )
  return storedList(scope, records.Session, rows).map(titleDocument)
}

function* moveCursor({ tenantID }: StoreScope, { rootID, done }: Behind, to: number): Program<void> {
  const moved = yield* query(
    `INSERT INTO "SearchCursor" ("tenantID", "rootID", "seq") VALUES ($1, $2, $3)
     ON CONFLICT ("tenantID", "rootID") DO UPDATE SET "seq" = $3 WHERE "SearchCursor"."seq" = $4 RETURNING "seq"`,
    ...[tenantID, rootID, to, done],
  )
  if (moved.length === 0) throw new IndexedElsewhereError()
}

export function* indexProgress({ tenantID }: StoreScope): Program<SearchProgress> {
  const [row] = yield* query(
    `SELECT CAST(COALESCE(SUM(t."seq"), 0) AS DOUBLE PRECISION) AS "all",
       CAST(COALESCE(SUM(c."seq"), 0) AS DOUBLE PRECISION) AS "indexed" FROM "Tree" t
     LEFT JOIN "SearchCursor" c ON c."tenantID" = $1 AND c."rootID" = t."rootID"
     WHERE t."tenantID" = $1 AND t."alive" = TRUE`,
    tenantID,
  )
  return row === undefined ? { indexed: 0, all: 0 } : { indexed: number(row, "indexed"), all: number(row, "all") }
}
