import type { RowShape } from "../row/row-data.ts"
import { storedOrNull } from "../row/stored.ts"
import { type Program, query, type Row } from "../sql/program.ts"
import type { StoreScope } from "./store-scope.ts"

/**
 * The tenant's row with this id or number. A program and not a client call: nearly every request reads a session, a
 * project or a todo this way, and the client takes ten times as long as SQLite itself.
 */
export async function oneRow<T>(
  scope: StoreScope,
  shape: RowShape<T>,
  column: string,
  value: string | number,
): Promise<T | null> {
  return storedOrNull(scope, shape, await scope.read({ program: () => select(scope, shape.name, column, value) }))
}

function* select({ tenantID }: StoreScope, table: string, column: string, value: string | number): Program<Row | null> {
  const [row] = yield* query(
    `SELECT "data" FROM "${table}" WHERE "tenantID" = $1 AND "${column}" = $2 LIMIT 1`,
    tenantID,
    value,
  )
  return row ?? null
}
