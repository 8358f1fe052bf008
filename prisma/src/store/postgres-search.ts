import type { SearchAsk, SearchTerm } from "@docket/core/query"
import { termLine } from "@docket/core/query"
import { query, queryOnce } from "../sql/program.ts"
import { pageColumns, sessionConditions } from "./search-conditions.ts"
import { createParams, type SearchEngine } from "./search-engine.ts"
import { askedFacets, facetWords } from "./search-terms.ts"
import type { StoreScope } from "./store-scope.ts"

/**
 * A text search vector of the document's words, with its own kind of index. Phrases are searched in the line of words,
 * because a vector stores at most 256 positions per word. Not prepared, because the best plan depends on the words.
 */
export const postgresSearch: SearchEngine = {
  *write(scope, documents) {
    const rows = documents.map((document) => {
      const { id, kind, at, rootID, sessionID, messageID, state, words, files } = document
      const terms = [
        ...new Set([...marked("w", words), ...marked("f", files), ...facetWords(scope.tenantID, document)]),
      ]
      const partID = messageID === null ? null : id
      return { id, kind, at, rootID, sessionID, messageID, partID, state, words, files, terms: terms.join(" ") }
    })
    if (rows.length > 0) yield* query(insertSql(scope), scope.tenantID, JSON.stringify(rows))
  },
  *find(scope, { ask, from, limit }) {
    const params = createParams()
    const columns = pageColumns(scope.dialect, params)
    const conditions = [...termConditions(scope.tenantID, ask, params), ...sessionConditions(scope, ask, params)]
    if (from !== null) conditions.push(`(r."at", r."id") < (${params.of(from.at)}, ${params.of(from.id)})`)
    if (ask.after !== null) conditions.push(`r."at" >= ${params.of(ask.after)}`)
    if (ask.before !== null) conditions.push(`r."at" < ${params.of(ask.before)}`)
    return yield* queryOnce(
      `SELECT ${columns} FROM "SearchRow" r, "Session" s, "Session" root
       WHERE ${conditions.join(" AND ")} ORDER BY r."at" DESC, r."id" DESC LIMIT ${params.of(limit)}`,
      params.values,
    )
  },
}

/** Words of a line, with a prefix that separates words of the text from words of file names. */
function marked(prefix: "w" | "f", line: string): string[] {
  return line.split(" ").flatMap((word) => (word === "" ? [] : `${prefix}${word}`))
}

function insertSql({ dialect }: StoreScope): string {
  const texts = [
    "id",
    "kind",
    "rootID",
    "sessionID",
    "messageID",
    "partID",
    "state",
    "words",
    "files",
    "terms",
  ] as const
  const columns = { ...Object.fromEntries(texts.map((name) => [name, "text" as const])), at: "number" as const }
  const plain = Object.keys(columns).filter((name) => name !== "terms")
  const list = plain.map((name) => `"${name}"`).join(", ")
  const updates = ["kind", "state", "words", "files", "terms"].map((name) => `"${name}" = excluded."${name}"`)
  return `INSERT INTO "SearchRow" ("tenantID", ${list}, "terms")
    SELECT $1, ${list}, array_to_tsvector(string_to_array("terms", ' ')) FROM ${dialect.jsonRows("$2", columns, "r")}
    ON CONFLICT ("tenantID", "id") DO UPDATE SET ${updates.join(", ")}`
}

function termConditions(tenantID: string, ask: SearchAsk, params: ReturnType<typeof createParams>): string[] {
  const { terms, without, files, withoutFiles } = ask
  const { all, none } = askedFacets(tenantID, ask)
  const vector = [
    ...terms.map((term) => vectorQuery("w", term)),
    ...(files.length === 0 ? [] : [anyOf(files.map((term) => vectorQuery("f", term)))]),
    ...all.map((words) => anyOf(words.map(quoted))),
    ...none.map((word) => `!${quoted(word)}`),
  ]
  const holds = (column: "words" | "files", term: SearchTerm) =>
    `strpos(r."${column}", ${params.of(termLine(term))}::text) > 0`
  const anyFile = files.some(isPhrase) ? [`(${files.map((term) => holds("files", term)).join(" OR ")})`] : []
  return [
    `r."terms" @@ ${params.of(vector.join(" & "))}::tsquery`,
    ...terms.filter(isPhrase).map((term) => holds("words", term)),
    ...anyFile,
    ...without.map((term) => `NOT ${holds("words", term)}`),
    ...withoutFiles.map((term) => `NOT ${holds("files", term)}`),
  ]
}

function isPhrase({ words }: SearchTerm): boolean {
  return words.length > 1
}

/** All words of the term, in any position. */
function vectorQuery(prefix: "w" | "f", { words, isPrefix }: SearchTerm): string {
  const last = words.length - 1
  const all = words.map((word, index) => `${quoted(`${prefix}${word}`)}${isPrefix && index === last ? ":*" : ""}`)
  return `(${all.join(" & ")})`
}

function anyOf(queries: readonly string[]): string {
  return `(${queries.join(" | ")})`
}

/** Words consist only of letters, marks and digits, so nothing has to be escaped. */
function quoted(word: string): string {
  return `'${word}'`
}
