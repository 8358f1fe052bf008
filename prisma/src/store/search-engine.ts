import type { SearchAsk } from "@docket/core/query"
import type { SearchDocument } from "@docket/core/store"
import type { Program, Row, Value } from "../sql/program.ts"
import type { StoreScope } from "./store-scope.ts"

/** Where a page begins: after the entry with this time (epoch ms) and id. */
export interface SearchStart {
  at: number
  id: string
}

export interface SearchPage {
  ask: SearchAsk
  from: SearchStart | null
  limit: number
}

/** The full-text index of one kind of database. */
export interface SearchEngine {
  /** Adds documents and replaces those with the same id. */
  write(scope: StoreScope, documents: readonly SearchDocument[]): Program<void>
  /**
   * Matching entries, newest first. `undone` is the content of the root session if part of it may be undone, else null.
   */
  find(scope: StoreScope, page: SearchPage): Program<Row[]>
}

/** Collects the parameters of a statement, by position. */
export function createParams(): { values: Value[]; of(value: Value): string; list(values: readonly Value[]): string } {
  const values: Value[] = []
  const of = (value: Value) => `$${values.push(value)}`
  return { values, of, list: (items) => `(${items.map(of).join(", ")})` }
}
