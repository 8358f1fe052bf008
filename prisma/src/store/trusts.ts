import type { TrustStore } from "@docket/core/store"
import { shapes } from "../row/row-shapes.ts"
import { columnText, trustRow } from "../row/rows.ts"
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
      return storedList(scope, shapes.ConfigTrust, rows)
    },
    async put(trust) {
      const row = trustRow(tenantID, trust)
      const where = { tenantID_hash: { tenantID, hash: trust.hash } }
      await write(({ configTrust }) => configTrust.upsert({ where, create: row, update: row, select: { hash: true } }))
    },
    async remove(directory) {
      const where = { tenantID, directory: columnText(directory) }
      await write(({ configTrust }) => configTrust.deleteMany({ where }))
    },
  }
}
