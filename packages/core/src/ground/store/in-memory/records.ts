import { type AnyRecord, type Cell, cellsOf, storedCell, type ValueOf } from "../record/define-record.ts"
import { records } from "../record/records.ts"
import {
  DuplicateError,
  MissingParentError,
  type Order,
  type RecordQuery,
  type Records,
  type Where,
} from "../record/records-port.ts"
import { frozenCopy } from "./frozen-copy.ts"
import { reserveNumbers, rowsOf, type Tables } from "./tables.ts"

export function inMemoryRecords(tables: Tables): Records {
  const found = <R extends AnyRecord>(record: R, { where, either, order, limit }: RecordQuery<R>): ValueOf<R>[] =>
    [...rowsOf(tables, record).values()]
      .map((value) => ({ value, cells: cellsOf(record, value) as Record<string, Cell> }))
      .filter(({ cells }) => holds(record, cells, where))
      .filter(({ cells }) => either === undefined || either.some((one) => holds(record, cells, one)))
      .sort((a, b) => compare(order, a.cells, b.cells))
      .slice(0, limit)
      .map(({ value }) => value)
  const put = <R extends AnyRecord>(record: R, values: readonly ValueOf<R>[]) => {
    for (const value of values) requireOwner(tables, record, value)
    for (const value of values) requireUnique(tables, record, value)
    for (const value of values) rowsOf(tables, record).set(keyOf(record, value), frozenCopy(value))
  }
  return {
    get: async (record, key) => rowsOf(tables, record).get(key) ?? null,
    find: async (record, query) => found(record, query),
    async page(record, { where, limit, cursor }) {
      const before = (value: ValueOf<typeof record>) => cursor === undefined || keyOf(record, value) < cursor
      const all = found(record, { where, order: [`-${record.key}`] }).filter(before)
      const items = all.slice(0, limit)
      const last = items.at(-1)
      return { items, cursor: last !== undefined && all.length > limit ? keyOf(record, last) : null }
    },
    put: async (record, values) => put(record, values),
    async add(record, values) {
      for (const value of values) {
        const key = keyOf(record, value)
        if (rowsOf(tables, record).has(key)) throw new DuplicateError(`there is a row ${key} of ${record.name} already`)
      }
      put(record, values)
    },
    async change(record, key, edit) {
      const value = rowsOf(tables, record).get(key)
      const changed = value === undefined ? null : edit(value)
      if (changed !== null) put(record, [changed])
      return changed
    },
    async remove(record, where) {
      const gone = found(record, { where, order: [] })
      for (const value of gone) removeRow(tables, record, keyOf(record, value))
      return gone.length
    },
    reserve: async ({ numbered }, count) => reserveNumbers(tables, numbered, count),
  }
}

function keyOf<R extends AnyRecord>(record: R, value: ValueOf<R>): string {
  return String((value as Record<string, unknown>)[record.key])
}

/** Removes a row with the rows that belong to it. */
function removeRow(tables: Tables, record: AnyRecord, key: string): void {
  rowsOf(tables, record).delete(key)
  for (const other of Object.values<AnyRecord>(records)) {
    const { owner } = other
    if (typeof owner === "string" || owner.record.name !== record.name) continue
    for (const value of rowsOf(tables, other).values())
      if ((value as Record<string, unknown>)[owner.column] === key) removeRow(tables, other, keyOf(other, value))
  }
}

function requireOwner<R extends AnyRecord>(tables: Tables, record: R, value: ValueOf<R>): void {
  const { rootID, sessionID } = value as { rootID?: string; sessionID?: string | null }
  if (isOwned()) return
  throw (
    record.orphan?.(value) ?? new MissingParentError(`nothing has the row ${keyOf(record, value)} of ${record.name}`)
  )

  function isOwned(): boolean {
    const { owner } = record
    if (owner === "tenant") return true
    if (owner === "tree") return rootID !== undefined && tables.sessions.get(rootID)?.value.parentID === null
    if (owner === "session") return typeof sessionID !== "string" || tables.sessions.has(sessionID)
    return rowsOf(tables, owner.record).has(String((value as Record<string, unknown>)[owner.column]))
  }
}

function requireUnique<R extends AnyRecord>(tables: Tables, record: R, value: ValueOf<R>): void {
  for (const columns of record.unique) {
    const key = rowsOf(tables, record).keyWithSame(columns, value)
    if (key !== undefined && key !== keyOf(record, value))
      throw new DuplicateError(`${key} has the same ${columns.join(" and ")}`)
  }
}

function holds<R extends AnyRecord>(record: R, cells: Record<string, Cell>, where: Where<R> | object = {}): boolean {
  return Object.entries(where).every(([name, test]) => {
    const cell = cells[name] ?? null
    const cellOf = (value: Cell) => storedCell(record.columns[name], value)
    if (test === undefined) return true
    if (typeof test !== "object" || test === null) return cell === cellOf(test)
    if ("in" in test) return (test.in as Cell[]).map(cellOf).includes(cell)
    if ("not" in test) return cell !== null && cell !== cellOf(test.not)
    if (cell === null) return false
    return Object.entries(test).every(([sign, bound]) => isWithin(cell, sign, bound as Exclude<Cell, null>))
  })
}

function isWithin(cell: Exclude<Cell, null>, sign: string, bound: Exclude<Cell, null>): boolean {
  switch (sign) {
    case "lt":
      return cell < bound
    case "lte":
      return cell <= bound
    case "gt":
      return cell > bound
    case "gte":
      return cell >= bound
    default:
      throw new TypeError(`a column has no test ${sign}`)
  }
}

function compare(order: Order<AnyRecord>, a: Record<string, Cell>, b: Record<string, Cell>): number {
  for (const asked of order) {
    const name = asked.replace(/^-/, "")
    const [one, other] = [a[name] ?? "", b[name] ?? ""]
    if (one !== other) return one < other === asked.startsWith("-") ? 1 : -1
  }
  return 0
}
