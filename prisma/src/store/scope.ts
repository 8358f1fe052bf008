import type { Dialect } from "../sql/dialect.ts"
import type { KnownLists } from "./known-lists.ts"
import type { UnreadableRows } from "./unreadable-rows.ts"

/** Whose rows a program sees, and in which SQL. */
export interface Scope {
  tenantID: string
  dialect: Dialect
  lists: KnownLists
  unreadable: UnreadableRows
}
