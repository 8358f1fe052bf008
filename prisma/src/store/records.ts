import {
  type AnyRecord,
  type Cell,
  MissingParentError,
  type RecordName,
  type RecordQuery,
  type Records,
  type ValueOf,
  type Where,
} from "@docket/core/store"
import { type RowShape, rowOf } from "../row/row-data.ts"
import { stored, storedList } from "../row/stored.ts"
import type { Client } from "../sql/database.ts"
import { StoredBeforeError } from "../sql/database-errors.ts"
import { type Program, query, type Row, text, upsert } from "../sql/program.ts"
import type { Rows } from "../sql/tables.ts"
import { reserveNumbers } from "./counters.ts"
import { oneRow } from "./one-row.ts"
import { conditions, selectRows } from "./select-rows.ts"
import type { StoreScope } from "./store-scope.ts"

/** The calls that all models of the client have in common. */
interface Calls {
  createMany(rows: object): Promise<unknown>
}

/** The calls of a record's model. Its name in the client begins with a lower-case letter. */
function callsOf(client: Client, { name }: AnyRecord): Calls {
  // The compiler has compared the record's columns with those of the model.
  return client[name.replace(/^./, (first) => first.toLowerCase()) as "counter"] as unknown as Calls
}

/** The shape that reads the values of a record. */
function shapeOf<R extends AnyRecord>(record: R): RowShape<ValueOf<R>> {
  // The schema produces these values, but the compiler cannot derive that from R.
  return record as unknown as RowShape<ValueOf<R>>
}

export function recordStore(scope: StoreScope): Records {
  const { tenantID, read, write } = scope
  const rowsOf = <R extends AnyRecord & { given: readonly never[] }>(record: R, values: readonly ValueOf<R>[]) =>
    // All columns are derived from the value, so nothing else is given.
    values.map((value) => rowOf(record as AnyRecord, { tenantID }, value) as unknown as Record<string, Cell>)
  const find = async <R extends AnyRecord>(record: R, query: RecordQuery<R>): Promise<Row[]> =>
    read({ program: () => selectRows(scope, record, query) })
  return {
    get: (record, key) => oneRow(scope, shapeOf(record), record.key, key),
    find: async (record, query) => storedList(scope, shapeOf(record), await find(record, query)),
    async page(record, { where, limit, cursor }) {
      const older = cursor === undefined ? undefined : [{ [record.key]: { lt: cursor } }]
      const query = { where, either: older, order: [`-${record.key}`], limit: limit + 1 }
      const rows = await find<AnyRecord>(record, query as RecordQuery<AnyRecord>)
      const shown = rows.slice(0, limit)
      // From the row and not from its value, because the last value may be unreadable.
      const last = shown.at(-1)
      return {
        items: storedList(scope, shapeOf(record), shown),
        cursor: last !== undefined && rows.length > limit ? text(last, record.key) : null,
      }
    },
    async put(record, values) {
      // The columns belong to the table with the record's name.
      const rows = rowsOf(record, values) as unknown as Rows[RecordName][]
      const program = () => upsert(record.name as RecordName, rows)
      await write({ program }).catch(orphaned(record, values))
    },
    async add(record, values) {
      if (values.length === 0) return
      await write((client) => callsOf(client, record).createMany({ data: rowsOf(record, values) }))
        .catch((error) => {
          if (!(error instanceof StoredBeforeError)) throw error
        })
        .catch(orphaned(record, values))
    },
    change: (record, key, edit) => write({ program: () => change(scope, record, { key, edit }) }),
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

function* change<R extends AnyRecord>(
  scope: StoreScope,
  record: R,
  { key, edit }: { key: string; edit: (value: ValueOf<R>) => ValueOf<R> | null },
): Program<ValueOf<R> | null> {
  const { tenantID, dialect } = scope
  // Locked, so that a change by another process waits for this one.
  const [row] = yield* query(
    `SELECT r."data" AS "data" FROM "${record.name}" r
     WHERE r."tenantID" = $1 AND r."${record.key}" = $2 ${dialect.lockRows("r")}`,
    tenantID,
    key,
  )
  const changed = row === undefined ? null : edit(stored(shapeOf(record), row))
  // The columns belong to the table with the record's name.
  if (changed !== null) {
    const rows = [rowOf(record as AnyRecord, { tenantID }, changed)] as unknown as Rows[RecordName][]
    yield* upsert(record.name as RecordName, rows)
  }
  return changed
}

function* remove<R extends AnyRecord>({ tenantID }: StoreScope, record: R, where: Where<R>): Program<number> {
  const { params, sql } = conditions(record, tenantID, where)
  const gone = yield* query(`DELETE FROM "${record.name}" WHERE ${sql} RETURNING "${record.key}"`, ...params)
  return gone.length
}
