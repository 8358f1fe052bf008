import type { z } from "zod"

interface ColumnValues {
  /** An id or a word of ours: stored as it is. */
  word: string
  /** The text was written by people or programs, see `columnText`. */
  text: string
  /** The id of a person. It changes when somebody takes over what another did. */
  person: string
  number: number
  /** Up to 2 ** 31 - 1. */
  integer: number
  boolean: boolean
}

/** A column with `?` may be null. */
export type ColumnType = keyof ColumnValues | `${keyof ColumnValues}?`
export type Columns = Readonly<Record<string, ColumnType>>
export type Cell = string | number | boolean | null

export type CellOf<C extends ColumnType> = C extends `${infer Base extends keyof ColumnValues}?`
  ? ColumnValues[Base] | null
  : C extends keyof ColumnValues
    ? ColumnValues[C]
    : never

/** The columns that no field of their name fills: `values` has to. Those of `given` come with the row. */
type Computed<T, C extends Columns, Given> = {
  [K in keyof C as K extends Given | KeysLike<T, C> ? never : K]: CellOf<C[K]>
}
type KeysLike<T, C extends Columns> = { [K in keyof C & keyof T]: T[K] extends CellOf<C[K]> ? K : never }[keyof C &
  keyof T]
type Values<T, C extends Columns, Given> = keyof Computed<T, C, Given> extends never
  ? { values?: never }
  : { values: (value: T) => Computed<T, C, Given> }

/** Makes what one version of a record's shape wrote into what the next one writes. */
export type Upcast = (older: Record<string, unknown>) => Record<string, unknown>

/**
 * What the rows are removed with: with their tenant alone, the root session in `rootID`, the session in `sessionID`, or
 * a row of another record.
 */
export type Owner = "tenant" | "tree" | "session" | { record: AnyRecord; column: string }

/** A record of any type. `Options` says what its fields mean. */
export interface AnyRecord {
  name: string
  words: readonly [one: string, more: string]
  schema: z.ZodType<object>
  key: string
  owner: Owner
  columns: Columns
  given: readonly string[]
  /** The columns that the value fills. */
  filled: readonly { name: string; type: ColumnType }[]
  unique: readonly (readonly string[])[]
  isLog: boolean
  numbered: string | undefined
  upcasts: readonly Upcast[]
  values?(value: object): object
  /** The error that is thrown when the row that owns the value does not exist (any more). */
  orphan?(value: object): Error
}

/** A kind of row: `data` holds the value as JSON, the columns hold the fields by which queries filter and sort. */
export interface RecordDefinition<
  Name extends string = string,
  T extends object = object,
  C extends Columns = Columns,
  Key extends string = string,
  Given extends string = string,
  Counter extends string | undefined = string | undefined,
> extends AnyRecord {
  name: Name
  schema: z.ZodType<T>
  key: Key
  columns: C
  given: readonly Given[]
  numbered: Counter
}

interface Options<Name, T, C, Key, Given, Counter> {
  /** The name of its table. */
  name: Name
  /** The name of its rows for people, in singular and plural. */
  words: AnyRecord["words"]
  schema: z.ZodType<T>
  /** The column that names a row within its tenant: `id` when it is left out. */
  key?: Key
  owner: Owner
  /** Beside the tenant, the key and `data`. A field of the same name fills a column; `values` fills the others. */
  columns: C
  /** Columns that are not part of the value, such as the number of a row in the sequence of its tree. */
  given?: readonly Given[]
  /** Columns that are unique within a tenant. */
  unique?: readonly (readonly (keyof C & string)[])[]
  /** The rows only record acts, so a tenant that has no other rows owns nothing. */
  isLog?: true
  /** The name of the tenant's counter that its numbers are of. */
  numbered?: Counter
  /** For shapes that `schema` does not take any more. New ones are added at the end, and those that are there stay. */
  upcasts?: readonly Upcast[]
  orphan?: (value: T) => Error
}

/** Defines a kind of row once, for all databases. The model of its table in `schema.prisma` has the same columns. */
export function defineRecord<
  const Name extends string,
  T extends object,
  const C extends Columns,
  const Key extends string = "id",
  const Given extends string = never,
  const Counter extends string | undefined = undefined,
>(
  options: Options<Name, T, C, Key, Given, Counter> & Values<T, C, Given>,
): RecordDefinition<Name, T, C, Key, Given, Counter> {
  const { columns, given = [] as const } = options
  const filled = Object.entries<ColumnType>(columns).map(([name, type]) => ({ name, type }))
  return {
    // Defaults are values of the types that are inferred when an option is left out.
    key: "id" as Key,
    numbered: undefined as Counter,
    unique: [],
    isLog: false,
    upcasts: [],
    ...options,
    given,
    filled: filled.filter(({ name }) => !given.some((other) => other === name)),
  }
}

export type ValueOf<R extends AnyRecord> = z.output<R["schema"]>

/** The columns that are filled from the value: all except the tenant, the columns given separately, and `data`. */
export type CellsOf<R extends AnyRecord> = { [K in R["key"]]: string } & {
  [K in Exclude<keyof R["columns"], R["given"][number]>]: CellOf<R["columns"][K]>
}

/** The columns of a row that do not come from its value. */
export type GivenOf<R extends AnyRecord> = { [K in R["given"][number]]: CellOf<R["columns"][K]> }

/** All columns of a row. */
export type RowOf<R extends AnyRecord> = { [K in "tenantID" | R["key"] | "data"]: string } & {
  [K in keyof R["columns"]]: CellOf<R["columns"][K]>
}

export function cellsOf<R extends AnyRecord>(record: R, value: ValueOf<R>): CellsOf<R> {
  const own = value as Record<string, Cell>
  const computed = record.values?.(value) as Record<string, Cell> | undefined
  const cells: Record<string, Cell> = { [record.key]: own[record.key] ?? null }
  for (const { name, type } of record.filled)
    cells[name] = storedCell(type, (computed !== undefined && name in computed ? computed : own)[name] ?? null)
  // `defineRecord` asked for what fills each of the columns.
  return cells as CellsOf<R>
}

const freeTypes: ReadonlySet<ColumnType> = new Set(["text", "text?", "person", "person?"])

/** A value in the form of its column. */
export function storedCell(type: ColumnType | undefined, cell: Cell): Cell {
  return typeof cell === "string" && type !== undefined && freeTypes.has(type) ? columnText(cell) : cell
}

/** Text that every database takes as a column: PostgreSQL refuses NUL and half surrogate pairs. `data` keeps them. */
export function columnText(value: string): string {
  return value.replaceAll("\0", "").toWellFormed()
}

/** The beginning of what may be long, as a table of rows shows it. */
export function beginning(value: string): string {
  return value.slice(0, 200)
}
