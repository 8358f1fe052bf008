import { type AnyRecord, cellsOf, type GivenOf, type RowOf, type ValueOf } from "@docket/core/store"

/**
 * What is needed to read the `data` of a record's rows. The version of the shape is the number of its upcasts plus one.
 */
export interface RowShape<T> {
  name: string
  schema: { safeParse(value: unknown): { success: true; data: T } | { success: false; error: Error } }
  upcasts: AnyRecord["upcasts"]
}

/** The row for a value. */
export function rowOf<R extends AnyRecord>(
  record: R,
  given: { tenantID: string } & GivenOf<R>,
  value: ValueOf<R>,
): RowOf<R> {
  // The cast is safe: these are all columns, namely those of the value, the given ones, and the content.
  return { ...cellsOf(record, value), ...given, data: encode(record, value) } as unknown as RowOf<R>
}

/** The key in `data` for the version of its shape; rows of the first version have none. */
const versionKey = "$shape"

/** The `data` of the row for a value. */
export function encode({ upcasts }: Pick<AnyRecord, "upcasts">, value: object): string {
  return JSON.stringify(upcasts.length === 0 ? value : { [versionKey]: upcasts.length + 1, ...value })
}

/**
 * Reads the value from the `data` of a row of this or an older version. @throws Error with the reason if it is
 * unreadable
 */
export function decode<T>({ schema, upcasts }: RowShape<T>, data: string): T {
  const parsed = schema.safeParse(upcast(upcasts, JSON.parse(data)))
  if (parsed.success) return parsed.data
  throw parsed.error
}

function upcast(upcasts: AnyRecord["upcasts"], value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  const { [versionKey]: version = 1, ...older } = { ...value } as Record<string, unknown>
  if (typeof version !== "number" || version > upcasts.length + 1) {
    throw new Error(`it was written by a newer version of Docket (shape ${String(version)})`)
  }
  return upcasts.slice(version - 1).reduce((row, step) => step(row), older)
}
