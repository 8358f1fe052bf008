import { type AnyRecord, type Cell, type RecordQuery, storedCell } from "@docket/core/store"
import { type Program, query, type Row, type Value } from "../sql/program.ts"
import { maxInt, type StoreScope } from "./store-scope.ts"

/**
 * The rows of a record, with key, sort columns and `data`. A program for speed: starts, requests and turns need these
 * reads all the time, and Prisma's client takes ten times as long.
 */
export function* selectRows<R extends AnyRecord>(
  { tenantID }: Pick<StoreScope, "tenantID">,
  record: R,
  asked: RecordQuery<R>,
): Program<Row[]> {
  if (isBeyond(record, asked.where)) return []
  const { params, sql } = conditions(record, tenantID, asked.where, asked.either)
  const order = asked.order.map((name) => ({ column: name.replace("-", ""), isFalling: name.startsWith("-") }))
  const columns = new Set([record.key, ...order.map(({ column }) => column), "data"])
  return yield* query(
    [
      `SELECT ${[...columns].map((name) => `"${name}"`).join(", ")} FROM "${record.name}" WHERE ${sql}`,
      ...(order.length > 0
        ? [`ORDER BY ${order.map(({ column, isFalling }) => `"${column}"${isFalling ? " DESC" : ""}`).join(", ")}`]
        : []),
      ...(asked.limit === undefined ? [] : [`LIMIT $${params.push(asked.limit)}`]),
    ].join(" "),
    ...params,
  )
}

const signs = { lt: "<", lte: "<=", gt: ">", gte: ">=", not: "<>" } as const

/** Column names are safe to insert: the compiler has checked the record and the query. */
export function conditions(record: AnyRecord, tenantID: string, where: object = {}, either?: readonly object[]) {
  const params: Value[] = [tenantID]
  const holds = (name: string, test: unknown): string => {
    const param = (value: unknown) => `$${params.push(storedCell(record.columns[name], value as Cell))}`
    if (test === null) return `"${name}" IS NULL`
    if (typeof test !== "object") return `"${name}" = ${param(test)}`
    if ("in" in test)
      return (test.in as Cell[]).length === 0 ? "FALSE" : `"${name}" IN (${(test.in as Cell[]).map(param).join(", ")})`
    if ("not" in test && test.not === null) return `"${name}" IS NOT NULL`
    return Object.entries(test)
      .map(([sign, value]) => `"${name}" ${signs[sign as keyof typeof signs]} ${param(value)}`)
      .join(" AND ")
  }
  const all = (asked: object) =>
    Object.entries(asked)
      .filter(([, test]) => test !== undefined)
      .map(([name, test]) => holds(name, test))
  const parts = [`"tenantID" = $1`, ...all(where)]
  if (either !== undefined) parts.push(`(${either.map((one) => `(${all(one).join(" AND ")})`).join(" OR ")})`)
  return { params, sql: parts.join(" AND ") }
}

/** Whether the query asks for an integer that no row can have: PostgreSQL would refuse it. */
function isBeyond({ columns }: AnyRecord, where: object = {}): boolean {
  return Object.entries(where).some(
    ([name, test]) => columns[name]?.startsWith("integer") && typeof test === "number" && test > maxInt,
  )
}
