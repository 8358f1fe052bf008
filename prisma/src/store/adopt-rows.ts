import { type AnyRecord, type RecordName, records } from "@docket/core/store"
import { type Program, query, text } from "../sql/program.ts"

export interface Adoption {
  /** The workspace whose rows are meant. */
  tenantID: string
  from: string
  to: string
}

/** What was written down of who did what stays as it was written, and the content of parts is that of agents. */
const kept: readonly RecordName[] = ["AuditEntry", "Part"]

/** The columns that name a person, by table. */
const personColumns = Object.values<AnyRecord>(records).flatMap(({ name, columns }) =>
  Object.keys(columns)
    .filter((column) => columns[column]?.startsWith("person"))
    .map((column) => ({ table: name, column })),
)

/**
 * Makes everything that one person did in a workspace another's. Answers with how many rows that were. Content is JSON, in
 * which a caller has one spelling that no text can have: quotes in texts are escaped.
 */
export function* adoptRows({ tenantID, from, to }: Adoption): Program<number> {
  const spelled = (person: string) => `"person":${JSON.stringify(person)},"workspace":${JSON.stringify(tenantID)}`
  let changed = 0
  yield* query(
    `DELETE FROM "ReviewViewed" WHERE "tenantID" = $1 AND "person" = $2 AND "taskID" IN
     (SELECT "taskID" FROM "ReviewViewed" WHERE "tenantID" = $1 AND "person" = $3)`,
    ...[tenantID, from, to],
  )
  for (const { name } of Object.values(records)) {
    if (kept.includes(name)) continue
    const rows = yield* query(
      `UPDATE "${name}" SET "data" = replace("data", $1, $2)
       WHERE "tenantID" = $3 AND "data" LIKE $4 ESCAPE '!' RETURNING "tenantID"`,
      ...[spelled(from), spelled(to), tenantID, `%${spelled(from).replaceAll(/[!%_]/g, "!$&")}%`],
    )
    changed += rows.length
  }
  for (const { table, column } of personColumns)
    yield* query(
      `UPDATE "${table}" SET "${column}" = $1 WHERE "tenantID" = $2 AND "${column}" = $3`,
      ...[to, tenantID, from],
    )
  yield* adoptReading({ tenantID, from, to })
  return changed
}

/** How far a person has read stands in the session under their name. */
function* adoptReading({ tenantID, from, to }: Adoption): Program<void> {
  const rows = yield* query(
    `SELECT "id", "data" FROM "Session" WHERE "tenantID" = $1 AND "data" LIKE '%"read":{%'`,
    tenantID,
  )
  for (const row of rows) {
    // Written by this table's own port: an object, whose reading is a map of numbers.
    const { read = {}, ...session } = JSON.parse(text(row, "data")) as { read?: Record<string, number> }
    const { [from]: own, ...others } = read
    if (own === undefined) continue
    const data = JSON.stringify({ ...session, read: { ...others, [to]: Math.max(own, others[to] ?? 0) } })
    yield* query(
      `UPDATE "Session" SET "data" = $1 WHERE "tenantID" = $2 AND "id" = $3`,
      data,
      tenantID,
      text(row, "id"),
    )
  }
}
