import type { ColumnType } from "@docket/core/store"

/** Where the SQL of the databases differs. */
export interface Dialect {
  name: "sqlite" | "postgres"
  /**
   * A row source over a parameter that holds a JSON array of objects. Join tables to it with CROSS JOIN and
   * WHERE: SQLite, which knows nothing of its size, then reads it first and each table by index.
   */
  jsonRows(param: string, columns: Record<string, ColumnType>, alias: string): string
  /** True when `text` holds `part`, ignoring ASCII case. */
  contains(text: string, part: string): string
  /** Ends a SELECT that locks the rows of `alias` until commit. */
  lockRows(alias: string): string
}

export const sqlite: Dialect = {
  name: "sqlite",
  jsonRows(param, columns, alias) {
    const fields = Object.keys(columns).map((name) => `value ->> '${name}' AS "${name}"`)
    return `(SELECT ${fields.join(", ")} FROM json_each(${param})) AS ${alias}`
  },
  contains: (text, part) => `instr(lower(${text}), lower(${part})) > 0`,
  // The whole file is locked by BEGIN IMMEDIATE.
  lockRows: () => "",
}

function postgresType(type: ColumnType): string {
  if (type.startsWith("integer")) return "integer"
  if (type.startsWith("number")) return "double precision"
  return type.startsWith("boolean") ? "boolean" : "text"
}

export const postgres: Dialect = {
  name: "postgres",
  jsonRows(param, columns, alias) {
    const fields = Object.entries(columns).map(([name, type]) => `"${name}" ${postgresType(type)}`)
    return `json_to_recordset(${param}::json) AS ${alias}(${fields.join(", ")})`
  },
  contains: (text, part) => `strpos(lower(${text} COLLATE "C"), lower(${part}::text COLLATE "C")) > 0`,
  lockRows: (alias) => `FOR UPDATE OF ${alias}`,
}
