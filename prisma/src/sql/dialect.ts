import type { ColumnType } from "@docket/core/store"

/** SQL that differs between the databases. */
export interface Dialect {
  name: "sqlite" | "postgres"
  /** SQL for the time by the database's clock (epoch ms). */
  now: string
  /**
   * A row source from a parameter that holds a JSON array of objects. Join tables to it with CROSS JOIN and WHERE: then
   * SQLite, which does not know its size, reads it first and each table by index.
   */
  jsonRows(param: string, columns: Record<string, ColumnType>, alias: string): string
  /** SQL for: `text` contains `part`, ignoring ASCII case. */
  contains(text: string, part: string): string
  /** A field of a column with JSON; null where it is missing. Text, or what SQLite makes of it. */
  field(column: string, ...path: string[]): string
  /** A value as a number with a fraction. */
  amount(value: string): string
  /** The largest whole number that is not above a positive number. */
  whole(value: string): string
  /** The end of a SELECT that locks the rows of `alias` until commit. */
  lockRows(alias: string): string
}

export const sqlite: Dialect = {
  name: "sqlite",
  // A function that the connection brings: the clock of its process.
  now: "docket_now()",
  jsonRows(param, columns, alias) {
    const fields = Object.keys(columns).map((name) => `value ->> '${name}' AS "${name}"`)
    return `(SELECT ${fields.join(", ")} FROM json_each(${param})) AS ${alias}`
  },
  contains: (text, part) => `instr(lower(${text}), lower(${part})) > 0`,
  field: (column, ...path) => `(${column} ->> '$.${path.join(".")}')`,
  amount: (value) => `CAST(${value} AS REAL)`,
  whole: (value) => `CAST(${value} AS INTEGER)`,
  // Nothing to add: BEGIN IMMEDIATE already locks the whole file.
  lockRows: () => "",
}

function postgresType(type: ColumnType): string {
  if (type.startsWith("integer")) return "integer"
  if (type.startsWith("number")) return "double precision"
  return type.startsWith("boolean") ? "boolean" : "text"
}

export const postgres: Dialect = {
  name: "postgres",
  now: "FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::double precision",
  jsonRows(param, columns, alias) {
    const fields = Object.entries(columns).map(([name, type]) => `"${name}" ${postgresType(type)}`)
    return `json_to_recordset(${param}::json) AS ${alias}(${fields.join(", ")})`
  },
  contains: (text, part) => `strpos(lower(${text} COLLATE "C"), lower(${part}::text COLLATE "C")) > 0`,
  field: (column, ...path) => `(${column}::json #>> '{${path.join(",")}}')`,
  amount: (value) => `(${value})::double precision`,
  whole: (value) => `FLOOR(${value})::integer`,
  lockRows: (alias) => `FOR UPDATE OF ${alias}`,
}
