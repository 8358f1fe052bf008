import { DocketError } from "@docket/core/store"
import { type Row, text } from "../sql/program.ts"

interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: Error }
}

/**
 * The value in a row's `data` column.
 * @throws DocketError store_unavailable when it is not what the schema describes
 */
export function stored<T>(schema: Schema<T>, row: Row): T {
  const data = text(row, "data")
  const result = schema.safeParse(JSON.parse(data))
  if (result.success) return result.data
  throw new DocketError(
    "store_unavailable",
    `the database holds a row that this version cannot read (${data.slice(0, 60)}…): ${result.error.message}. ` +
      "Update Docket, or restore a backup of the database.",
    { cause: result.error },
  )
}

export function storedOrNull<T>(schema: Schema<T>, rows: Row[]): T | null {
  const row = rows[0]
  return row ? stored(schema, row) : null
}

export function storedList<T>(schema: Schema<T>, rows: Row[]): T[] {
  return rows.map((row) => stored(schema, row))
}
