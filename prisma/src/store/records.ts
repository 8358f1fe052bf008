import {
  type AnyRecord,
  type Cell,
  MissingParentError,
  type RecordQuery,
  type Records,
  storedCell,
  type ValueOf,
  type Where,
} from "@docket/core/store"
import type { Prisma } from "../generated/sqlite/client/client.ts"
import { type RowShape, rowOf } from "../row/row-data.ts"
import { storedList } from "../row/stored.ts"
import type { Client } from "../sql/database.ts"
import { StoredBeforeError } from "../sql/database-errors.ts"
import { type Program, query, type Row, text, type Value } from "../sql/program.ts"
import { reserveNumbers } from "./counters.ts"
import { oneRow } from "./one-row.ts"
import { maxInt, type StoreScope } from "./store-scope.ts"

/** What the client answers of each model in the same way. */
interface Calls {
  upsert(row: object): Prisma.PrismaPromise<unknown>
  createMany(rows: object): Promise<unknown>
  updateMany(rows: object): Promise<{ count: number }>
}

/** The calls of a record's model, whose name in the client begins with a small letter. */
function callsOf(client: Client, { name }: AnyRecord): Calls {
  // The compiler has compared the record's columns with those of the model.
  return client[name.replace(/^./, (first) => first.toLowerCase()) as "counter"] as unknown as Calls
}

/** What reads the values of a record. */
function shapeOf<R extends AnyRecord>(record: R): RowShape<ValueOf<R>> {
  // Its schema gives its values; the compiler does not follow R that far.
  return record as unknown as RowShape<ValueOf<R>>
}

export function recordStore(scope: StoreScope): Records {
  const { tenantID, read, write } = scope
  const rowsOf = <R extends AnyRecord & { given: readonly never[] }>(record: R, values: readonly ValueOf<R>[]) =>
    // Its values tell all of its columns, so that nothing else is given.
    values.map((value) => rowOf(record as AnyRecord, { tenantID }, value) as unknown as Record<string, Cell>)
  const find = async <R extends AnyRecord>(record: R, query: RecordQuery<R>): Promise<Row[]> =>
    isBeyond(record, query.where) ? [] : read({ program: () => select(scope, record, query) })
  return {
    get: (record, key) => oneRow(scope, shapeOf(record), record.key, key),
    find: async (record, query) => storedList(scope, shapeOf(record), await find(record, query)),
    async page(record, { where, limit, cursor }) {
      const older = cursor === undefined ? undefined : [{ [record.key]: { lt: cursor } }]
      const query = { where, either: older, order: [`-${record.key}`], limit: limit + 1 }
      const rows = await find<AnyRecord>(record, query as RecordQuery<AnyRecord>)
      const shown = rows.slice(0, limit)
      // Of the row and not of its value: the last one may be unreadable.
      const last = shown.at(-1)
      return {
        items: storedList(scope, shapeOf(record), shown),
        cursor: last !== undefined && rows.length > limit ? text(last, record.key) : null,
      }
    },
    async put(record, values) {
      const rows = rowsOf(record, values)
      const upsert = (client: Client, row: Record<string, Cell>) => {
        const where = { [`tenantID_${record.key}`]: { tenantID, [record.key]: row[record.key] } }
        return callsOf(client, record).upsert({ where, create: row, update: row, select: { [record.key]: true } })
      }
      const [first] = rows
      if (first === undefined) return
      await write(async (client) => {
        if (rows.length === 1) await upsert(client, first)
        else await client.$transaction(rows.map((row) => upsert(client, row)))
      }).catch(orphaned(record, values))
    },
    async add(record, values) {
      if (values.length === 0) return
      await write((client) => callsOf(client, record).createMany({ data: rowsOf(record, values) }))
        .catch((error) => {
          if (!(error instanceof StoredBeforeError)) throw error
        })
        .catch(orphaned(record, values))
    },
    async replace(record, value) {
      for (const { tenantID: _tenant, [record.key]: key, ...row } of rowsOf(record, [value])) {
        const where = { tenantID, [record.key]: key }
        const { count } = await write((client) => callsOf(client, record).updateMany({ where, data: row }))
        return count > 0
      }
      return false
    },
    remove: (record, where) => write({ program: () => remove(scope, record, where) }),
    reserve: ({ numbered }, count) => reserveNumbers(scope, numbered, count),
  }
}

function orphaned<R extends AnyRecord>(record: R, values: readonly ValueOf<R>[]) {
  return (error: unknown): never => {
    const [first] = values
    throw (error instanceof MissingParentError && first !== undefined && record.orphan?.(first)) || error
  }
}

/** A program: lists of a session or a project are asked for all the time, and the client would take ten times as long. */
function* select<R extends AnyRecord>({ tenantID }: StoreScope, record: R, asked: RecordQuery<R>): Program<Row[]> {
  const { params, sql } = conditions(record, tenantID, asked.where, asked.either)
  const order = asked.order.map((name) => (name.startsWith("-") ? `"${name.slice(1)}" DESC` : `"${name}"`))
  return yield* query(
    [
      `SELECT "${record.key}", "data" FROM "${record.name}" WHERE ${sql}`,
      ...(order.length > 0 ? [`ORDER BY ${order.join(", ")}`] : []),
      ...(asked.limit === undefined ? [] : [`LIMIT $${params.push(asked.limit)}`]),
    ].join(" "),
    ...params,
  )
}

function* remove<R extends AnyRecord>({ tenantID }: StoreScope, record: R, where: Where<R>): Program<number> {
  const { params, sql } = conditions(record, tenantID, where)
  const gone = yield* query(`DELETE FROM "${record.name}" WHERE ${sql} RETURNING "${record.key}"`, ...params)
  return gone.length
}

const signs = { lt: "<", lte: "<=", gt: ">", gte: ">=", not: "<>" } as const

/** Names of columns are those of the record: the compiler has compared both them and what is asked with it. */
function conditions(record: AnyRecord, tenantID: string, where: object = {}, either?: readonly object[]) {
  const params: Value[] = [tenantID]
  const holds = (name: string, test: unknown): string => {
    const param = (value: unknown) => `$${params.push(storedCell(record.columns[name], value as Cell))}`
    if (test === null) return `"${name}" IS NULL`
    if (typeof test !== "object") return `"${name}" = ${param(test)}`
    if ("in" in test)
      return (test.in as Cell[]).length === 0 ? "FALSE" : `"${name}" IN (${(test.in as Cell[]).map(param).join(", ")})`
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

/** Whether a whole number is asked for that no row can have: the client refuses it. */
function isBeyond({ columns }: AnyRecord, where: object = {}): boolean {
  return Object.entries(where).some(
    ([name, test]) => columns[name]?.startsWith("integer") && typeof test === "number" && test > maxInt,
  )
}
