import { type ArgType, type ColumnType, ColumnTypeEnum } from "@prisma/driver-adapter-utils"

export type SqliteValue = string | number | bigint | null | Uint8Array

/** A parameter of Prisma as SQLite stores it. */
export function toSqlite(value: unknown, type: ArgType | undefined): SqliteValue {
  if (value === null || value === undefined) return null
  if (typeof value === "boolean") return value ? 1 : 0
  if (value instanceof Date) return isoTime(value)
  if (typeof value === "string") return textAs(value, type)
  if (typeof value === "number" || typeof value === "bigint" || value instanceof Uint8Array) return value
  throw new TypeError(`SQLite has no column for a ${typeof value}`)
}

/** Prisma sends values that JSON cannot hold as text. */
function textAs(value: string, type: ArgType | undefined): SqliteValue {
  switch (type?.scalarType) {
    case "bigint":
      return BigInt(value)
    case "float":
    case "decimal":
      return Number(value)
    case "bytes":
      return Buffer.from(value, "base64")
    case "datetime":
      return isoTime(new Date(value))
    default:
      return value
  }
}

/** The format of SQLite's own functions and of Prisma's other adapters. */
function isoTime(time: Date): string {
  return time.toISOString().replace("Z", "+00:00")
}

/** Column types as the migrations declare them. */
const declaredTypes: Record<string, ColumnType> = {
  BIGINT: ColumnTypeEnum.Int64,
  BLOB: ColumnTypeEnum.Bytes,
  BOOLEAN: ColumnTypeEnum.Boolean,
  DATETIME: ColumnTypeEnum.DateTime,
  DECIMAL: ColumnTypeEnum.Numeric,
  INT: ColumnTypeEnum.Int32,
  INTEGER: ColumnTypeEnum.Int32,
  JSONB: ColumnTypeEnum.Json,
  REAL: ColumnTypeEnum.Double,
  TEXT: ColumnTypeEnum.Text,
  TIMESTAMP: ColumnTypeEnum.DateTime,
}

/** The type of a table's column; null for an expression, whose type depends on its values. */
export function declaredType(declared: string | null): ColumnType | null {
  return declaredTypes[declared?.toUpperCase() ?? ""] ?? null
}

export function columnTypes(declared: readonly (ColumnType | null)[], rows: readonly unknown[][]): ColumnType[] {
  return declared.map((type, column) => type ?? typeOf(rows.find((row) => row[column] !== null)?.[column]))
}

function typeOf(value: unknown): ColumnType {
  if (typeof value === "string") return ColumnTypeEnum.Text
  if (value instanceof Uint8Array) return ColumnTypeEnum.Bytes
  // Prisma converts such a number to what the query expects: a count, a sum or an average.
  return value === undefined ? ColumnTypeEnum.Int32 : ColumnTypeEnum.UnknownNumber
}
