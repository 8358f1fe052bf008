import type { Session } from "@docket/core/schema"
import { type FoundText, holdsWords, isSearched, type SearchStore } from "@docket/core/store"
import { shapes } from "../row/row-shapes.ts"
import { columnText } from "../row/rows.ts"
import { readable, storedList } from "../row/stored.ts"
import { type Program, query, type Row, text, type Value } from "../sql/program.ts"
import { data, type StoreScope } from "./store-scope.ts"

type TitleQuery = Parameters<SearchStore["titles"]>[0]
type TextQuery = Parameters<SearchStore["texts"]>[0]

/** Words are looked for without wildcards, and without case on both databases: see `rootsTitled`. */
export function searchStore(scope: StoreScope): SearchStore {
  return {
    async titles(query) {
      const rows = await scope.read(titled(scope, query))
      return storedList(scope, shapes.Session, rows)
    },
    texts: (query) => texts(scope, query),
  }
}

function* titled({ tenantID, dialect }: StoreScope, { words, limit }: TitleQuery): Program<Row[]> {
  const params: Value[] = [tenantID, false, limit]
  const holds = words.map((word) => dialect.contains(`s."title"`, `$${params.push(columnText(word))}`))
  return yield* query(
    `SELECT s."data" FROM "Session" s
     JOIN "Session" r ON r."tenantID" = $1 AND r."id" = s."rootID" AND r."archived" = $2
     WHERE ${[`s."tenantID" = $1`, `s."archived" = $2`, ...holds].join(" AND ")}
     ORDER BY s."updated" DESC, s."id" LIMIT $3`,
    ...params,
  )
}

async function texts(scope: StoreScope, wanted: TextQuery): ReturnType<SearchStore["texts"]> {
  const { rows, next } = await scope.read(textRows(scope, wanted))
  const sessions = await sessionsOf(scope, rows)
  const found: FoundText[] = []
  for (const row of rows) {
    const part = readable(scope, shapes.Part, row)
    const session = part && sessions.get(part.sessionID)
    const root = session && sessions.get(session.rootID)
    if (!part || !session || !root || !isSearched(part, session, root) || !holdsWords(part.text, wanted.words)) continue
    found.push({ session, role: text(row, "role") === "user" ? "user" : "assistant", part })
    if (found.length === wanted.limit) return { found, next: part.id }
  }
  return { found, next }
}

/**
 * Rows whose content holds the words behind its text's key, and some more: they are compared as JSON writes them, since
 * a row that is no JSON would end the statement. Whoever reads the rows looks at the text itself.
 */
function* textRows(
  { tenantID, dialect }: StoreScope,
  { words, walk, before }: TextQuery,
): Program<{ rows: Row[]; next: string | null }> {
  const params: Value[] = [tenantID]
  const param = (value: Value) => `$${params.push(value)}`
  const older = before === undefined ? "" : ` AND p."id" < ${param(before)}`
  // Of ids alone, along the key: no row is read.
  const [end] = yield* query(
    `SELECT p."id" FROM "Part" p WHERE p."tenantID" = $1${older} ORDER BY p."id" DESC LIMIT 1 OFFSET $${params.length + 1}`,
    ...params,
    walk - 1,
  )
  const next = end ? text(end, "id") : null
  const within = next === null ? "" : ` AND p."id" >= ${param(next)}`
  const content = dialect.from(`p."data"`, param('"text":'))
  const holds = words.map((word) => dialect.contains(content, param(JSON.stringify(columnText(word)).slice(1, -1))))
  const rows = yield* query(
    `SELECT p."data", p."sessionID", p."rootID", m."role" FROM "Part" p
     JOIN "Message" m ON m."tenantID" = $1 AND m."id" = p."messageID"
     WHERE p."tenantID" = $1${older}${within} AND p."type" = 'text' AND ${holds.join(" AND ")}
     ORDER BY p."id" DESC`,
    ...params,
  )
  return { rows, next }
}

async function sessionsOf(scope: StoreScope, rows: Row[]): Promise<Map<string, Session>> {
  const ids = [...new Set(rows.flatMap((row) => [text(row, "sessionID"), text(row, "rootID")]))]
  const where = { tenantID: scope.tenantID, id: { in: ids } }
  const sessions = await scope.read(({ session }) => session.findMany({ where, select: data }))
  return new Map(storedList(scope, shapes.Session, sessions).map((session) => [session.id, session]))
}
