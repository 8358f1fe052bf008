import type { Share } from "@docket/core/schema"
import { UnknownTreeError } from "@docket/core/store"
import { MissingParentError, type Program, query, upsert } from "../sql/program.ts"
import { shapes } from "./row-shapes.ts"
import { shareRow } from "./rows.ts"
import type { Scope } from "./scope.ts"
import { storedList, storedOrNull } from "./stored.ts"

export function* putShare({ tenantID }: Scope, share: Share): Program<void> {
  try {
    yield* upsert("Share", [shareRow(tenantID, share)])
  } catch (error) {
    throw error instanceof MissingParentError ? new UnknownTreeError(share.rootID) : error
  }
}

export function* shareByHash(scope: Scope, secretHash: string): Program<Share | null> {
  const { tenantID } = scope
  const rows = yield* query(
    `SELECT "data" FROM "Share" WHERE "tenantID" = $1 AND "secretHash" = $2`,
    tenantID,
    secretHash,
  )
  return storedOrNull(scope, shapes.Share, rows)
}

export function* listShares(scope: Scope, rootID: string): Program<Share[]> {
  const { tenantID } = scope
  const rows = yield* query(
    `SELECT "data" FROM "Share" WHERE "tenantID" = $1 AND "rootID" = $2 ORDER BY "created" DESC, "id" DESC`,
    tenantID,
    rootID,
  )
  return storedList(scope, shapes.Share, rows)
}
