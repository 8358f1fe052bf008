import type { PermissionRequest } from "@docket/core/schema"
import type { PermissionGrant } from "@docket/core/store"
import { UnknownTreeError } from "@docket/core/store"
import { MissingParentError, type Program, query, upsert } from "../sql/program.ts"
import { shapes } from "./row-shapes.ts"
import { grantRow } from "./rows.ts"
import type { Scope } from "./scope.ts"
import { storedList } from "./stored.ts"

/** Pending requests, oldest first, of one tree or of all. */
export function* pendingPermissions(scope: Scope, rootID: string | undefined): Program<PermissionRequest[]> {
  const { tenantID } = scope
  const condition = rootID === undefined ? "" : `AND "rootID" = $2`
  const rows = yield* query(
    `SELECT "data" FROM "PermissionRequest" WHERE "tenantID" = $1 AND "status" = 'pending' ${condition}
     ORDER BY "created", "id"`,
    ...(rootID === undefined ? [tenantID] : [tenantID, rootID]),
  )
  return storedList(scope, shapes.PermissionRequest, rows)
}

export function* grantsOf(scope: Scope, rootID: string): Program<PermissionGrant[]> {
  const { tenantID } = scope
  const rows = yield* query(
    `SELECT "data" FROM "PermissionGrant" WHERE "tenantID" = $1 AND "rootID" = $2 ORDER BY "createdAt", "id"`,
    tenantID,
    rootID,
  )
  return storedList(scope, shapes.PermissionGrant, rows)
}

export function* addGrants({ tenantID }: Scope, grants: PermissionGrant[]): Program<void> {
  const byID = new Map(grants.map((grant) => [grant.id, grantRow(tenantID, grant)]))
  try {
    yield* upsert("PermissionGrant", [...byID.values()])
  } catch (error) {
    if (error instanceof MissingParentError) throw new UnknownTreeError(grants.map(({ rootID }) => rootID).join(", "))
    throw error
  }
}
