import type { Database } from "../sql/database.ts"
import type { Scope } from "../tree/scope.ts"

/** Whose rows a store sees and changes, and where they are. */
export interface StoreScope extends Scope, Pick<Database, "read" | "write"> {}

/** All that is read of a row whose value is wanted: everything else is for filters, orders and tables of rows. */
export const data = { data: true } as const

/** The largest number that a column of whole numbers holds: nothing has a larger one. */
export const maxInt = 2 ** 31 - 1
