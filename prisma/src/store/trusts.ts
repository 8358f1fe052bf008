import { columnText, records, type TrustStore } from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { storedList } from "../row/stored.ts"
import { data, type StoreScope } from "./store-scope.ts"

export function trustStore(scope: StoreScope): TrustStore {
  const { tenantID, read, write } = scope
  return {
    async list(directory) {
      const where = { tenantID, ...(directory !== undefined && { directory: columnText(directory) }) }
      const rows = await read(({ configTrust }) =>
        configTrust.findMany({ where, orderBy: [{ trusted: "desc" }, { hash: "desc" }], select: data }),
      )
      return storedList(scope, records.ConfigTrust, rows)
    },
    async put(trust) {
      const row = rowOf(records.ConfigTrust, { tenantID }, trust)
      const where = { tenantID_hash: { tenantID, hash: trust.hash } }
      await write(({ configTrust }) => configTrust.upsert({ where, create: row, update: row, select: { hash: true } }))
    },
    async remove(directory) {
      const where = { tenantID, directory: columnText(directory) }
      await write(({ configTrust }) => configTrust.deleteMany({ where }))
    },
  }
}
