import type { UnreadableRows } from "../row/unreadable-rows.ts"
import type { Dialect } from "../sql/dialect.ts"
import type { KnownLists } from "./known-lists.ts"

/** The tenant whose rows a program sees, and the SQL dialect. */
export interface Scope {
  tenantID: string
  dialect: Dialect
  lists: KnownLists
  unreadable: UnreadableRows
}
