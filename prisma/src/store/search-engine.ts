import type { SearchAsk } from "@docket/core/query"
import type { SearchDocument } from "@docket/core/store"
import type { Program, Row, Value } from "../sql/program.ts"
import type { StoreScope } from "./store-scope.ts"

/** Where a page begins: after what came at this time (epoch ms), of this id. */
export interface SearchStart {
  at: number
  id: string
}

export interface SearchPage {
  ask: SearchAsk
  from: SearchStart | null
  limit: number
}

/** The full text index of one kind of database. */
export interface SearchEngine {
  /** Puts documents in the place of those of the same id. */
  write(scope: StoreScope, documents: readonly SearchDocument[]): Program<void>
  /** What fits, newest first; `undone` is the root session's content where a part of it may be undone, else null. */
  find(scope: StoreScope, page: SearchPage): Program<Row[]>
}

/** Parameters of a statement, by their places in it. */
export function createParams(): { values: Value[]; of(value: Value): string; list(values: readonly Value[]): string } {
  const values: Value[] = []
  const of = (value: Value) => `$${values.push(value)}`
  return { values, of, list: (of_) => `(${of_.map(of).join(", ")})` }
}
