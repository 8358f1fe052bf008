import { grantStore, type PermissionStore, type Records, records } from "@docket/core/store"
import { storedList, storedOrNull } from "../row/stored.ts"
import { data, type StoreScope } from "./store-scope.ts"
import { pendingPermissions } from "./tree-reads.ts"

export function permissionStore(scope: StoreScope, rows: Records): PermissionStore {
  const { tenantID, read } = scope
  return {
    ...grantStore(rows),
    async get(id) {
      const where = { tenantID_id: { tenantID, id } }
      const row = await read(({ permissionRequest }) => permissionRequest.findUnique({ where, select: data }))
      return storedOrNull(scope, records.PermissionRequest, row)
    },
    pending: (rootID) => read({ program: () => pendingPermissions(scope, rootID) }),
    async answered(sessionID, limit) {
      const where = { tenantID, sessionID, replied: { not: null } }
      const orderBy = [{ created: "desc" }, { id: "desc" }] as const
      const found = await read(({ permissionRequest }) =>
        permissionRequest.findMany({ where, orderBy: [...orderBy], take: limit, select: data }),
      )
      return storedList(scope, records.PermissionRequest, found)
    },
    async since({ projectID, since, limit }) {
      const where = { tenantID, created: { gte: since }, session: { projectID } }
      const orderBy = [{ created: "desc" }, { id: "desc" }] as const
      const found = await read(({ permissionRequest }) =>
        permissionRequest.findMany({ where, orderBy: [...orderBy], take: limit, select: data }),
      )
      return storedList(scope, records.PermissionRequest, found)
    },
  }
}
