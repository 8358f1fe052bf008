import type { AnyRecord, CellOf, ValueOf } from "./define-record.ts"

/** A record whose values tell all of its columns: one that no commit numbers. */
export type WholeRecord = AnyRecord & { given: readonly never[] }

type ColumnOf<R extends AnyRecord> = (keyof R["columns"] & string) | R["key"]
type Held<R extends AnyRecord, K> = K extends keyof R["columns"] ? CellOf<R["columns"][K]> : string

/** The condition for a column. A column that is null passes only the test `null`. */
type Test<V> =
  | V
  | { in: readonly V[] }
  | { not: V }
  | { lt?: NonNullable<V>; lte?: NonNullable<V>; gt?: NonNullable<V>; gte?: NonNullable<V> }

/** All conditions must be true. */
export type Where<R extends AnyRecord> = { [K in ColumnOf<R>]?: Test<Held<R, K>> }

/** Conditions that are undefined are ignored. */
type Asked<W> = { [K in keyof W]: W[K] | undefined }

/** By the first column, then by the next; with `-` the largest comes first. */
export type Order<R extends AnyRecord> = readonly `${"" | "-"}${ColumnOf<R>}`[]

export interface RecordQuery<R extends AnyRecord> {
  where?: Asked<Where<R>>
  /** One of these conditions must be true as well. */
  either?: readonly Where<R>[]
  order: Order<R>
  limit?: number
}

/** The row that a row belongs to is not there (any more). */
export class MissingParentError extends Error {
  override readonly name = "MissingParentError"
}

/** Another row has what only one may have. */
export class DuplicateError extends Error {
  override readonly name: string = "DuplicateError"
}

/**
 * The rows of one tenant, by their record. The ports of small records are made of it, once for all databases; a record
 * that needs no port of its own is read and written by it.
 */
export interface Records {
  get<R extends WholeRecord>(record: R, key: string): Promise<ValueOf<R> | null>
  find<R extends WholeRecord>(record: R, query: RecordQuery<R>): Promise<ValueOf<R>[]>
  /** By the key, the largest first. */
  page<R extends WholeRecord>(
    record: R,
    query: { where: Asked<Where<R>>; limit: number; cursor?: string | undefined },
  ): Promise<Page<ValueOf<R>>>
  /**
   * Inserts or replaces all of them, or none.
   * @throws the record's own error (`orphan`), else MissingParentError, when the row that owns one is not there;
   *   DuplicateError when another row has what is unique
   */
  put<R extends WholeRecord>(record: R, values: readonly ValueOf<R>[]): Promise<void>
  /** Inserts all of them, or none. @throws as `put`; DuplicateError also when one is there */
  add<R extends WholeRecord>(record: R, values: readonly ValueOf<R>[]): Promise<void>
  /**
   * Stores what `edit` makes of the present row; no other change comes between. `edit` has no effects: it may be called
   * again. Null when there is no such row, or `edit` answers null.
   */
  change<R extends WholeRecord>(
    record: R,
    key: string,
    edit: (value: ValueOf<R>) => ValueOf<R> | null,
  ): Promise<ValueOf<R> | null>
  /** Removes the rows, with those that belong to them, and answers how many that were. */
  remove<R extends WholeRecord>(record: R, where: Where<R>): Promise<number>
  /** Takes `count` numbers of the tenant and answers with the first. */
  reserve(record: AnyRecord & { numbered: string }, count: number): Promise<number>
}

/** The one row that a query finds, or the first. */
export async function firstOf<T>(found: Promise<T[]>): Promise<T | null> {
  return (await found)[0] ?? null
}

export interface Page<T> {
  items: T[]
  /** Pass as `cursor` for the next page; null at the end. */
  cursor: string | null
}
