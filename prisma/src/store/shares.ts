import { records, type ShareStore, UnknownTreeError } from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { storedList, storedOrNull } from "../row/stored.ts"
import { MissingParentError } from "../sql/database-errors.ts"
import { data, type StoreScope } from "./store-scope.ts"

export function shareStore(scope: StoreScope): ShareStore {
  const { tenantID, read, write } = scope
  return {
    async put(value) {
      const row = rowOf(records.Share, { tenantID }, value)
      const where = { tenantID_id: { tenantID, id: value.id } }
      try {
        await write(({ share }) => share.upsert({ where, create: row, update: row, select: { id: true } }))
      } catch (error) {
        throw error instanceof MissingParentError ? new UnknownTreeError(value.rootID) : error
      }
    },
    async get(id) {
      const where = { tenantID_id: { tenantID, id } }
      return storedOrNull(scope, records.Share, await read(({ share }) => share.findUnique({ where, select: data })))
    },
    async byHash(secretHash) {
      const where = { tenantID_secretHash: { tenantID, secretHash } }
      return storedOrNull(scope, records.Share, await read(({ share }) => share.findUnique({ where, select: data })))
    },
    async list(rootID) {
      const rows = await read(({ share }) =>
        share.findMany({
          where: { tenantID, ...(rootID !== undefined && { rootID }) },
          orderBy: [{ created: "desc" }, { id: "desc" }],
          select: data,
        }),
      )
      return storedList(scope, records.Share, rows)
    },
  }
}
