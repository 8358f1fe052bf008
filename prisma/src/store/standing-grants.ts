import { records, type StandingGrantStore } from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { storedList } from "../row/stored.ts"
import { data, type StoreScope } from "./store-scope.ts"

export function standingGrantStore(scope: StoreScope): StandingGrantStore {
  const { tenantID, read, write } = scope
  return {
    async put(grant) {
      const row = rowOf(records.StandingGrant, { tenantID }, grant)
      const where = { tenantID_id: { tenantID, id: grant.id } }
      await write((client) => client.standingGrant.upsert({ where, create: row, update: row, select: { id: true } }))
    },
    async of(projectID) {
      const where = { tenantID, OR: [{ projectID: null }, { projectID }] }
      const rows = await read(({ standingGrant }) =>
        standingGrant.findMany({ where, orderBy: [{ created: "asc" }, { id: "asc" }], select: data }),
      )
      return storedList(scope, records.StandingGrant, rows)
    },
    async newest(limit) {
      const orderBy = [{ created: "desc" }, { id: "desc" }] as const
      const rows = await read(({ standingGrant }) =>
        standingGrant.findMany({ where: { tenantID }, orderBy: [...orderBy], take: limit, select: data }),
      )
      return storedList(scope, records.StandingGrant, rows)
    },
    async remove(id) {
      const { count } = await write(({ standingGrant }) => standingGrant.deleteMany({ where: { tenantID, id } }))
      return count > 0
    },
  }
}
