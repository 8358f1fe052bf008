import {
  columnText,
  draftStore,
  type LastSeenPart,
  listCursor,
  parseListCursor,
  type Records,
  type ReviewStore,
  records,
  taskSummary,
  uncountedParts,
} from "@docket/core/store"
import type { RowShape } from "../row/row-data.ts"
import { storedList } from "../row/stored.ts"
import { number, type Program, query, type Row, text, type Value } from "../sql/program.ts"
import { oneRow } from "./one-row.ts"
import type { StoreScope } from "./store-scope.ts"

export function reviewStore(scope: StoreScope, rows: Records): ReviewStore {
  const { read } = scope
  const ofTree = <T>(shape: RowShape<T>, rootID: string) =>
    read({ program: () => list(scope, shape, `"rootID" = $2 ORDER BY "id"`, rootID) })
  return {
    ...draftStore(rows),
    thread: (id) => oneRow(scope, records.ReviewThread, "id", id),
    comment: (id) => oneRow(scope, records.ReviewComment, "id", id),
    verdict: (id) => oneRow(scope, records.ReviewVerdict, "id", id),
    async tree(rootID) {
      const [threads, comments, verdicts, viewed] = await Promise.all([
        ofTree(records.ReviewThread, rootID),
        ofTree(records.ReviewComment, rootID),
        ofTree(records.ReviewVerdict, rootID),
        ofTree(records.ReviewViewed, rootID),
      ])
      return { threads, comments, verdicts, viewed }
    },
    unanswered: (sessionID) =>
      read({ program: () => list(scope, records.ReviewComment, `"asks" = $2 ORDER BY "id"`, sessionID) }),
    newParts: (seen) => read({ program: () => newParts(scope, seen) }),
    unjudged: (page) => read({ program: () => unjudged(scope, page) }),
  }
}

/** @param condition and order; the tenant is `$1`, and `params` begin with `$2` */
function* list<T>(scope: StoreScope, shape: RowShape<T>, condition: string, ...params: Value[]): Program<T[]> {
  const sql = `SELECT "data" FROM "${shape.name}" WHERE "tenantID" = $1 AND ${condition}`
  return storedList(scope, shape, yield* query(sql, scope.tenantID, ...params))
}

/** Types of parts that do not count as new, for an IN of SQL. */
const uncountedTypes = uncountedParts.map((type) => `'${type}'`).join(", ")

/** Starts at the message of each mark, so that counting new parts does not read a long transcript. */
function* newParts({ tenantID, dialect }: StoreScope, seen: readonly LastSeenPart[]): Program<Record<string, number>> {
  if (seen.length === 0) return {}
  const columns = { key: "text", sessionID: "text", messageID: "text", partID: "text" } as const
  const rows = yield* query(
    `SELECT r."key" AS "key", COUNT(*) AS "parts" FROM ${dialect.jsonRows("$1", columns, "r")}
     CROSS JOIN "Message" m CROSS JOIN "Part" p
     WHERE m."tenantID" = $2 AND m."sessionID" = r."sessionID" AND m."id" >= r."messageID"
     AND p."tenantID" = $2 AND p."messageID" = m."id" AND p."id" > r."partID" AND p."type" NOT IN (${uncountedTypes})
     GROUP BY r."key"`,
    JSON.stringify(
      seen.map(({ key, sessionID, last }) => ({
        key,
        sessionID,
        messageID: last?.messageID ?? "",
        partID: last?.partID ?? "",
      })),
    ),
    tenantID,
  )
  return Object.fromEntries(rows.map((row) => [text(row, "key"), count(row)]))
}

/** PostgreSQL counts in bigint, which its driver returns as text. */
function count(row: Row): number {
  return typeof row.parts === "string" ? Number(row.parts) : number(row, "parts")
}

type Unjudged = Awaited<ReturnType<ReviewStore["unjudged"]>>

function* unjudged(
  scope: StoreScope,
  { person, limit, cursor }: Parameters<ReviewStore["unjudged"]>[0],
): Program<Unjudged> {
  const params: Value[] = [scope.tenantID, columnText(person), limit + 1]
  const param = (value: Value) => `$${params.push(value)}`
  const conditions = [`t."tenantID" = $1`, `t."ended" IS NOT NULL`]
  if (cursor !== undefined) {
    const { updated, id } = parseListCursor(cursor)
    const time = param(updated)
    conditions.push(`(t."ended" < ${time} OR (t."ended" = ${time} AND t."id" > ${param(id)}))`)
  }
  const rows = yield* query(
    `SELECT t."id" AS "id", t."ended" AS "ended", t."data" AS "data" FROM "Task" t WHERE ${conditions.join(" AND ")}
     AND NOT EXISTS (SELECT 1 FROM "ReviewVerdict" v WHERE v."tenantID" = $1 AND v."taskID" = t."id"
       AND v."person" = $2 AND v."withdrawn" = FALSE)
     AND NOT EXISTS (SELECT 1 FROM "Session" s WHERE s."tenantID" = $1 AND s."id" IN (t."rootID", t."sessionID")
       AND s."archived" = TRUE)
     ORDER BY t."ended" DESC, t."id" LIMIT $3`,
    ...params,
  )
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: storedList(scope, records.Task, shown).map(taskSummary),
    // From the row and not from the task, because the last task may be unreadable.
    cursor: last && rows.length > limit ? listCursor(text(last, "id"), number(last, "ended")) : null,
  }
}
