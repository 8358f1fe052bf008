import type { Database } from "../sql/database.ts"
import type { Scope } from "../tree/scope.ts"

/** The tenant whose rows a store sees and changes, and their database. */
export interface StoreScope extends Scope, Pick<Database, "read" | "write"> {}

/** Selects only the content of a row: the other columns are for filters, orders and operators. */
export const data = { data: true } as const

/** The largest value of an integer column. */
export const maxInt = 2 ** 31 - 1
