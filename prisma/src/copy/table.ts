/** The type of a column, in either database. A time is a point in time. */
export type CellType = "text" | "number" | "boolean" | "time"
/** A value in the common form of both databases: times are ISO 8601 in UTC, with milliseconds. */
export type Cell = string | number | boolean | null

export interface Table {
  name: string
  /** Sorted by name, which is the same order in both databases. */
  columns: readonly { name: string; type: CellType }[]
  /** The columns of its primary key, by which rows are sorted. */
  key: readonly string[]
}

/** A snapshot of a database's tables. Rows arrive in batches, in key order. */
export interface TableSource {
  /** Names of the migrations that created the tables. */
  migrations: readonly string[]
  tables: readonly Table[]
  rows(table: Table): AsyncIterable<Cell[][]>
  close(): Promise<void>
}

/** Tables that are being filled. They are invisible to others until `finish` resolves. */
export interface TableTarget {
  tables: readonly Table[]
  /** Replaces a value that this database cannot hold by its substitute. */
  storable(cell: Cell): Cell
  insert(table: Table, rows: readonly Cell[][]): Promise<void>
  /** Reads the inserted rows. */
  rows(table: Table): AsyncIterable<Cell[][]>
  /** Checks the foreign keys, migrates the tables to this version, and commits. */
  finish(): Promise<void>
  /** Discards everything. Does nothing after `finish`. */
  abandon(): Promise<void>
}

/** The search index: rebuilt from other tables when it is missing. */
const derived = /^(?:SearchRow|SearchCursor|SearchText(?:_\w+)?)$/
/** Bookkeeping of the database itself: its migrations, and who uses it. The nodes of one database mean nothing to another. */
const ownBooks = new Set(["_prisma_migrations", "_docket_claims", "_docket_commits", "Node", "Host"])

/** Whether a table is copied row by row. Tables that are rebuilt are not. */
export function isCopied(name: string): boolean {
  return !derived.test(name) && !ownBooks.has(name) && !name.startsWith("sqlite_")
}

/** Column types, as named in the migrations of SQLite and the catalogue of PostgreSQL. */
const cellTypes: Record<string, CellType> = {
  TEXT: "text",
  INTEGER: "number",
  REAL: "number",
  "DOUBLE PRECISION": "number",
  BOOLEAN: "boolean",
  DATETIME: "time",
  "TIMESTAMP WITHOUT TIME ZONE": "time",
}

/** @throws for an unknown type: no copy is better than a wrong one */
export function cellType(declared: string, column: string): CellType {
  const type = cellTypes[declared.toUpperCase()]
  if (type === undefined) throw new Error(`column ${column} is of the type ${declared}, which copies do not know`)
  return type
}

/** Builds tables from a list of columns, which both catalogues provide. */
export function tablesOf(columns: readonly { table: string; name: string; declared: string; key: number }[]): Table[] {
  const names = [...new Set(columns.map(({ table }) => table))].filter(isCopied).sort()
  return names.map((name) => {
    const own = columns.filter(({ table }) => table === name)
    const key = own.filter((column) => column.key > 0).sort((a, b) => a.key - b.key)
    if (key.length === 0) throw new Error(`table ${name} has no key, so its rows have no order`)
    return {
      name,
      columns: own
        .map((column) => ({ name: column.name, type: cellType(column.declared, `${name}.${column.name}`) }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
      key: key.map((column) => column.name),
    }
  })
}

/** Approximate size of a batch of rows, in characters. */
export const batchLength = 1_000_000

export function rowLength(row: readonly Cell[]): number {
  let length = 0
  for (const cell of row) length += typeof cell === "string" ? cell.length + 4 : 8
  return length
}
