import { DocketError } from "@docket/core/store"
import { type Row, text } from "../sql/program.ts"
import { decode, type RowShape } from "./row-data.ts"
import type { UnreadableRows } from "./unreadable-rows.ts"

interface Reader {
  unreadable: UnreadableRows
}

/**
 * The value in a row's `data` column, for a write that depends on it.
 * @throws DocketError store_unavailable when this version cannot read it
 */
export function stored<T>(shape: RowShape<T>, row: Row): T {
  const data = text(row, "data")
  try {
    return decode(shape, data)
  } catch (cause) {
    throw new DocketError(
      "store_unavailable",
      `the database holds a row of ${shape.name} that this version cannot read (${data.slice(0, 60)}…): ${String(cause)}. ` +
        "Update Docket, or restore a backup of the database.",
      { cause },
    )
  }
}

/** Like `stored`, for a reader: null, with a report, when this version cannot read the row. */
export function readable<T>({ unreadable }: Reader, shape: RowShape<T>, row: Row): T | null {
  const data = text(row, "data")
  try {
    return decode(shape, data)
  } catch (error) {
    unreadable.add(shape.name, data, error)
    return null
  }
}

/** Like `readable`; null for a missing row too. */
export function storedOrNull<T>(reader: Reader, shape: RowShape<T>, row: Row | null | undefined): T | null {
  return row ? readable(reader, shape, row) : null
}

/** The rows that are readable. */
export function storedList<T>(reader: Reader, shape: RowShape<T>, rows: Row[]): T[] {
  return rows.flatMap((row) => readable(reader, shape, row) ?? [])
}
