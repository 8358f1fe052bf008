import { grantStore, type PermissionStore, type Records, records } from "@docket/core/store"
import { storedList } from "../row/stored.ts"
import { oneRow } from "./one-row.ts"
import { selectRows } from "./select-rows.ts"
import { data, type StoreScope } from "./store-scope.ts"
import { pendingPermissions } from "./tree-reads.ts"

export function permissionStore(scope: StoreScope, rows: Records): PermissionStore {
  const { tenantID, read } = scope
  return {
    ...grantStore(rows),
    get: (id) => oneRow(scope, records.PermissionRequest, "id", id),
    pending: (rootID) => read({ program: () => pendingPermissions(scope, rootID) }),
    async answered(sessionID, limit) {
      const query = { where: { sessionID, replied: { not: null } }, order: ["-created", "-id"], limit } as const
      const found = await read({ program: () => selectRows(scope, records.PermissionRequest, query) })
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
