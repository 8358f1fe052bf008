import { type PermissionStore, records, UnknownTreeError } from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { storedList, storedOrNull } from "../row/stored.ts"
import { MissingParentError } from "../sql/database-errors.ts"
import { data, type StoreScope } from "./store-scope.ts"
import { pendingPermissions } from "./tree-reads.ts"

export function permissionStore(scope: StoreScope): PermissionStore {
  const { tenantID, read, write } = scope
  return {
    async get(id) {
      const where = { tenantID_id: { tenantID, id } }
      const row = await read(({ permissionRequest }) => permissionRequest.findUnique({ where, select: data }))
      return storedOrNull(scope, records.PermissionRequest, row)
    },
    pending: (rootID) => read({ program: () => pendingPermissions(scope, rootID) }),
    async answered(sessionID, limit) {
      const where = { tenantID, sessionID, replied: { not: null } }
      const orderBy = [{ created: "desc" }, { id: "desc" }] as const
      const rows = await read(({ permissionRequest }) =>
        permissionRequest.findMany({ where, orderBy: [...orderBy], take: limit, select: data }),
      )
      return storedList(scope, records.PermissionRequest, rows)
    },
    async since({ projectID, since, limit }) {
      const where = { tenantID, created: { gte: since }, session: { projectID } }
      const orderBy = [{ created: "desc" }, { id: "desc" }] as const
      const rows = await read(({ permissionRequest }) =>
        permissionRequest.findMany({ where, orderBy: [...orderBy], take: limit, select: data }),
      )
      return storedList(scope, records.PermissionRequest, rows)
    },
    async grants(rootID) {
      const where = { tenantID, rootID }
      const rows = await read(({ permissionGrant }) =>
        permissionGrant.findMany({ where, orderBy: [{ createdAt: "asc" }, { id: "asc" }], select: data }),
      )
      return storedList(scope, records.PermissionGrant, rows)
    },
    async addGrants(grants) {
      const rows = grants.map((grant) => rowOf(records.PermissionGrant, { tenantID }, grant))
      try {
        await write((client) =>
          client.$transaction(
            rows.map((row) => {
              const where = { tenantID_id: { tenantID, id: row.id } }
              return client.permissionGrant.upsert({ where, create: row, update: row, select: { id: true } })
            }),
          ),
        )
      } catch (error) {
        if (!(error instanceof MissingParentError)) throw error
        throw new UnknownTreeError(grants.map(({ rootID }) => rootID).join(", "))
      }
    },
    async newestGrants(limit) {
      const orderBy = [{ createdAt: "desc" }, { id: "desc" }] as const
      const rows = await read(({ permissionGrant }) =>
        permissionGrant.findMany({ where: { tenantID }, orderBy: [...orderBy], take: limit, select: data }),
      )
      return storedList(scope, records.PermissionGrant, rows)
    },
    async removeGrant(id) {
      const { count } = await write(({ permissionGrant }) => permissionGrant.deleteMany({ where: { tenantID, id } }))
      return count > 0
    },
  }
}
