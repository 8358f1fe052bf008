import type { TreeStore } from "@docket/core/store"
import { type Program, query, text } from "../sql/program.ts"
import type { StoreScope } from "./store-scope.ts"

export function treeStore(scope: StoreScope): TreeStore {
  return { place: (rootID) => scope.read({ program: () => placeOf(scope, rootID) }) }
}

function* placeOf({ tenantID }: StoreScope, rootID: string): Program<string | null> {
  const [row] = yield* query(
    `SELECT "place" AS "place" FROM "Tree" WHERE "tenantID" = $1 AND "rootID" = $2 AND "alive" = TRUE`,
    tenantID,
    rootID,
  )
  return row ? text(row, "place") : null
}
