import type { TreePlace, TreeStore } from "@docket/core/store"
import { type Program, query, text } from "../sql/program.ts"
import type { StoreScope } from "./store-scope.ts"

export function treeStore(scope: StoreScope): TreeStore {
  const { read, write } = scope
  return {
    place: (rootID) => read({ program: () => placeOf(scope, rootID) }),
    hold: (rootID, nodeID) => write({ program: () => hold(scope, rootID, nodeID) }),
    letGo: (rootID, nodeID) => write({ program: () => letGo(scope, rootID, nodeID) }),
  }
}

function* placeOf({ tenantID }: StoreScope, rootID: string): Program<TreePlace | null> {
  const [row] = yield* query(
    `SELECT "place" AS "place", "holder" AS "holder" FROM "Tree"
     WHERE "tenantID" = $1 AND "rootID" = $2 AND "alive" = TRUE`,
    tenantID,
    rootID,
  )
  return row ? { place: text(row, "place"), holder: text(row, "holder") } : null
}

function* hold({ tenantID }: StoreScope, rootID: string, nodeID: string): Program<boolean> {
  const rows = yield* query(
    `UPDATE "Tree" SET "holder" = $3 WHERE "tenantID" = $1 AND "rootID" = $2 AND "alive" = TRUE RETURNING "rootID"`,
    tenantID,
    rootID,
    nodeID,
  )
  return rows.length > 0
}

function* letGo({ tenantID }: StoreScope, rootID: string, nodeID: string): Program<boolean> {
  const rows = yield* query(
    `UPDATE "Tree" SET "holder" = ''
     WHERE "tenantID" = $1 AND "rootID" = $2 AND "holder" = $3 AND "alive" = TRUE RETURNING "rootID"`,
    tenantID,
    rootID,
    nodeID,
  )
  return rows.length > 0
}
