import type { UnreadableRows } from "../row/unreadable-rows.ts"
import type { Dialect } from "../sql/dialect.ts"
import type { KnownLists } from "./known-lists.ts"

/** Whose rows a program sees, and in which SQL. */
export interface Scope {
  tenantID: string
  dialect: Dialect
  lists: KnownLists
  unreadable: UnreadableRows
}
