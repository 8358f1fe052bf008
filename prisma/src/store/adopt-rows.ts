import { type AnyRecord, type RecordName, records } from "@docket/core/store"
import { type Program, query, text } from "../sql/program.ts"

export interface Adoption {
  /** The workspace whose rows are changed. */
  tenantID: string
  from: string
  to: string
}

/** Tables that stay unchanged: the audit log is a record of the past, and parts are the content of agents. */
const unchanged: readonly RecordName[] = ["AuditEntry", "Part"]

/** The columns that refer to a user, by table. */
const personColumns = Object.values<AnyRecord>(records).flatMap(({ name, columns }) =>
  Object.keys(columns)
    .filter((column) => columns[column]?.startsWith("person"))
    .map((column) => ({ table: name, column })),
)

/**
 * Transfers everything that one user did in a workspace to another user. Returns the number of changed rows. Content is
 * JSON, in which a caller is always spelled the same and cannot be confused with text, because text escapes quotes.
 */
export function* adoptRows({ tenantID, from, to }: Adoption): Program<number> {
  const spelled = (person: string) => `"person":${JSON.stringify(person)},"workspace":${JSON.stringify(tenantID)}`
  let changed = 0
  // If both users viewed a task, only one of their two rows may stay.
  yield* query(
    `DELETE FROM "ReviewViewed" WHERE "tenantID" = $1 AND "person" = $2 AND "taskID" IN
     (SELECT "taskID" FROM "ReviewViewed" WHERE "tenantID" = $1 AND "person" = $3)`,
    ...[tenantID, from, to],
  )
  for (const { name } of Object.values(records)) {
    if (unchanged.includes(name)) continue
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

/** Transfers how far the user has read, which is stored in each session by user. */
function* adoptReading({ tenantID, from, to }: Adoption): Program<void> {
  const rows = yield* query(
    `SELECT "id", "data" FROM "Session" WHERE "tenantID" = $1 AND "data" LIKE '%"read":{%'`,
    tenantID,
  )
  for (const row of rows) {
    // Only the port of this table writes the content: an object, with `read` as a map of numbers.
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
