/** What a column holds, in either database. Times are moments. */
export type CellType = "text" | "number" | "boolean" | "time"
/** A value as both databases tell it: times are ISO 8601 in UTC, with milliseconds. */
export type Cell = string | number | boolean | null

export interface Table {
  name: string
  /** By name, which is the same order in both databases. */
  columns: readonly { name: string; type: CellType }[]
  /** The columns of its key: rows come in their order. */
  key: readonly string[]
}

/** The tables of a database at one moment. Rows come in batches, in the order of their key. */
export interface TableSource {
  /** Names of the migrations that made the tables. */
  migrations: readonly string[]
  tables: readonly Table[]
  rows(table: Table): AsyncIterable<Cell[][]>
  close(): Promise<void>
}

/** Tables that are being filled. Until `finish` resolves nothing of it is there for others. */
export interface TableTarget {
  tables: readonly Table[]
  /** A value that this database cannot hold as the other that stands for it. */
  storable(cell: Cell): Cell
  insert(table: Table, rows: readonly Cell[][]): Promise<void>
  /** Reads what was inserted. */
  rows(table: Table): AsyncIterable<Cell[][]>
  /** Checks what rows refer to, brings the tables up to date with this version, and lets it all count. */
  finish(): Promise<void>
  /** Lets go of it as if it never was. Does nothing after `finish`. */
  abandon(): Promise<void>
}

/** Made again from the other tables when they are missing: the index of the search. */
const derived = /^(?:SearchRow|SearchCursor|SearchText(?:_\w+)?)$/
/** Of the database itself: which migrations it has, and who uses it. */
const ownBooks = new Set(["_prisma_migrations", "_docket_claims", "_docket_commits"])

/** Whether a table is copied row by row. All are but those that are made again. */
export function isCopied(name: string): boolean {
  return !derived.test(name) && !ownBooks.has(name) && !name.startsWith("sqlite_")
}

/** Declared types, as the migrations of SQLite and the catalogue of PostgreSQL name them. */
const cellTypes: Record<string, CellType> = {
  TEXT: "text",
  INTEGER: "number",
  REAL: "number",
  "DOUBLE PRECISION": "number",
  BOOLEAN: "boolean",
  DATETIME: "time",
  "TIMESTAMP WITHOUT TIME ZONE": "time",
}

/** @throws for a type that copies do not know: better no copy than one that holds something else */
export function cellType(declared: string, column: string): CellType {
  const type = cellTypes[declared.toUpperCase()]
  if (type === undefined) throw new Error(`column ${column} is of the type ${declared}, which copies do not know`)
  return type
}

/** Tables from their columns, as both catalogues list them. */
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

/** Characters after which a batch of rows is long enough. */
export const batchLength = 1_000_000

/** About how long a row is, in characters. */
export function rowLength(row: readonly Cell[]): number {
  let length = 0
  for (const cell of row) length += typeof cell === "string" ? cell.length + 4 : 8
  return length
}
