import { type AnyRecord, type Cell, cellsOf, type ValueOf } from "../record/define-record.ts"

/** The rows of a record by key. It knows which row has which values in unique columns, so that no row is looked for. */
export class RecordRows<R extends AnyRecord> extends Map<string, ValueOf<R>> {
  readonly #record: R
  readonly #keys: Map<string, string>

  constructor(record: R) {
    super()
    this.#record = record
    this.#keys = new Map()
  }

  override set(key: string, value: ValueOf<R>): this {
    this.#forget(key)
    for (const columns of this.#record.unique) this.#keys.set(this.#textOf(columns, value), key)
    return super.set(key, value)
  }

  override delete(key: string): boolean {
    this.#forget(key)
    return super.delete(key)
  }

  /** The key of the row that has the same in these columns as the value. */
  keyLike(columns: readonly string[], value: ValueOf<R>): string | undefined {
    return this.#keys.get(this.#textOf(columns, value))
  }

  #forget(key: string): void {
    const value = this.get(key)
    if (value !== undefined) for (const columns of this.#record.unique) this.#keys.delete(this.#textOf(columns, value))
  }

  #textOf(columns: readonly string[], value: ValueOf<R>): string {
    const cells: Record<string, Cell> = cellsOf(this.#record, value)
    return JSON.stringify([columns, columns.map((name) => cells[name])])
  }
}
