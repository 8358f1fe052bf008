/** Field readers for stored JSON of unknown shape: a missing or strange field becomes null, never an error. */
export type JsonRecord = Record<string, unknown>

export function asRecord(value: unknown): JsonRecord {
  // Narrowed to a non-array object; its values stay unknown.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonRecord) : {}
}

export function readString(record: JsonRecord, ...names: string[]): string | null {
  for (const name of names) {
    const value = record[name]
    if (typeof value === "string" && value !== "") return value
  }
  return null
}

export function readNumber(record: JsonRecord, ...names: string[]): number | null {
  for (const name of names) {
    const value = record[name]
    if (typeof value === "number" && Number.isFinite(value)) return value
  }
  return null
}

export function readBoolean(record: JsonRecord, name: string): boolean {
  return record[name] === true
}

export function readList(record: JsonRecord, ...names: string[]): unknown[] | null {
  for (const name of names) {
    const value = record[name]
    if (Array.isArray(value)) return value
  }
  return null
}
