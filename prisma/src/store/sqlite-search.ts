import type { SearchAsk, SearchTerm } from "@docket/core/query"
import { idCount, type SearchDocument } from "@docket/core/store"
import { number, type Program, query, queryOnce, type Row } from "../sql/program.ts"
import { pageColumns, sessionConditions } from "./search-conditions.ts"
import { createParams, type SearchEngine, type SearchPage, type SearchStart } from "./search-engine.ts"
import { askedFacets, facetWords } from "./search-terms.ts"
import type { StoreScope } from "./store-scope.ts"

/**
 * FTS5. It returns rows in the order of their row ids, which ascend with time, so that a page of the newest entries
 * reads nothing else. Its tokenizer only splits at spaces.
 */
export const sqliteSearch: SearchEngine = {
  *write(scope, documents) {
    for (const document of documents) yield* writeDocument(scope, document)
  },
  *find(scope, page) {
    const { ask, limit } = page
    const params = createParams()
    const columns = pageColumns(scope.dialect, params)
    const conditions = [
      `f."SearchText" MATCH ${params.of(matchExpression(scope.tenantID, ask))}`,
      `r."place" = f."rowid"`,
      ...(yield* placeBounds(scope, page)).map(([sign, place]) => `f."rowid" ${sign} ${params.of(place)}`),
      ...sessionConditions(scope, ask, params),
    ]
    return yield* queryOnce(
      `SELECT ${columns} FROM "SearchText" f CROSS JOIN "SearchRow" r CROSS JOIN "Session" s CROSS JOIN "Session" root
       WHERE ${conditions.join(" AND ")} ORDER BY f."rowid" DESC LIMIT ${params.of(limit)}`,
      params.values,
    )
  },
}

/** Row ids per millisecond; further rows take the next free id. */
const placesPerMs = 1_024

function placeAt(at: number): number {
  return Math.floor(at) * placesPerMs
}

function* placeBounds(scope: StoreScope, { ask, from }: SearchPage): Program<[sign: string, place: number][]> {
  const bounds: [string, number][] = []
  if (from !== null) bounds.push(["<", yield* placeOf(scope, from)])
  if (ask.after !== null) bounds.push([">=", placeAt(ask.after)])
  if (ask.before !== null) bounds.push(["<", placeAt(ask.before)])
  return bounds
}

/** The row id of an entry; for a removed entry, the first id of its millisecond. */
function* placeOf({ tenantID }: StoreScope, { at, id }: SearchStart): Program<number> {
  const [row] = yield* query(`SELECT "place" FROM "SearchRow" WHERE "tenantID" = $1 AND "id" = $2`, tenantID, id)
  return row === undefined ? placeAt(at) : number(row, "place")
}

/**
 * In quotation marks, words have no special meaning in FTS5's query language; they contain no quotation marks
 * themselves.
 */
function matchExpression(tenantID: string, ask: SearchAsk): string {
  const { terms, without, files, withoutFiles } = ask
  const { all, none } = askedFacets(tenantID, ask)
  const anyFacet = (words: readonly string[]) => `"facets" : (${words.map((word) => `"${word}"`).join(" OR ")})`
  const anyFile = files.length === 0 ? [] : [`"files" : (${files.map(phrase).join(" OR ")})`]
  const wanted = [...terms.map((term) => `"words" : ${phrase(term)}`), ...anyFile, ...all.map(anyFacet)]
  const unwanted = [
    ...without.map((term) => `"words" : ${phrase(term)}`),
    ...withoutFiles.map((term) => `"files" : ${phrase(term)}`),
    ...(none.length === 0 ? [] : [anyFacet(none)]),
  ]
  const asked = wanted.join(" AND ")
  return unwanted.length === 0 ? asked : `(${asked}) NOT (${unwanted.join(" OR ")})`
}

function phrase({ words, isPrefix }: SearchTerm): string {
  return `"${words.join(" ")}"${isPrefix ? " *" : ""}`
}

function* writeDocument(scope: StoreScope, document: SearchDocument): Program<void> {
  const place = (yield* updated(scope, document)) ?? (yield* inserted(scope, document))
  yield* query(
    `INSERT OR REPLACE INTO "SearchText" ("rowid", "words", "files", "facets") VALUES ($1, $2, $3, $4)`,
    place,
    document.words,
    document.files,
    facetWords(scope.tenantID, document).join(" "),
  )
}

/** Updates the row of the document and returns its row id; null when there is no such row. */
function* updated({ tenantID }: StoreScope, { id, kind, state }: SearchDocument): Program<number | null> {
  const rows = yield* query(
    `UPDATE "SearchRow" SET "kind" = $3, "state" = $4 WHERE "tenantID" = $1 AND "id" = $2 RETURNING "place"`,
    ...[tenantID, id, kind, state],
  )
  return rows[0] ? number(rows[0], "place") : null
}

/** Inserts a row for the document and returns its row id. */
function* inserted({ tenantID }: StoreScope, document: SearchDocument): Program<number> {
  const { id, kind, at, rootID, sessionID, messageID, state } = document
  const count = messageID === null ? 0 : Math.min(idCount(id), placesPerMs - 1)
  for (let place = placeAt(at) + count; ; place++) {
    const rows: Row[] = yield* query(
      `INSERT INTO "SearchRow" ("place", "tenantID", "id", "kind", "at", "rootID", "sessionID", "messageID", "partID", "state")
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT ("place") DO NOTHING RETURNING "place"`,
      ...[place, tenantID, id, kind, at, rootID, sessionID, messageID, messageID === null ? null : id, state],
    )
    if (rows.length > 0) return place
  }
}
