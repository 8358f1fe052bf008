import { type ShareStore, UnknownTreeError } from "@docket/core/store"
import { shapes } from "../row/row-shapes.ts"
import { shareRow } from "../row/rows.ts"
import { storedList, storedOrNull } from "../row/stored.ts"
import { MissingParentError } from "../sql/database-errors.ts"
import { data, type StoreScope } from "./store-scope.ts"

export function shareStore(scope: StoreScope): ShareStore {
  const { tenantID, read, write } = scope
  return {
    async put(value) {
      const row = shareRow(tenantID, value)
      const where = { tenantID_id: { tenantID, id: value.id } }
      try {
        await write(({ share }) => share.upsert({ where, create: row, update: row, select: { id: true } }))
      } catch (error) {
        throw error instanceof MissingParentError ? new UnknownTreeError(value.rootID) : error
      }
    },
    async get(id) {
      const where = { tenantID_id: { tenantID, id } }
      return storedOrNull(scope, shapes.Share, await read(({ share }) => share.findUnique({ where, select: data })))
    },
    async byHash(secretHash) {
      const where = { tenantID_secretHash: { tenantID, secretHash } }
      return storedOrNull(scope, shapes.Share, await read(({ share }) => share.findUnique({ where, select: data })))
    },
    async list(rootID) {
      const rows = await read(({ share }) =>
        share.findMany({
          where: { tenantID, ...(rootID !== undefined && { rootID }) },
          orderBy: [{ created: "desc" }, { id: "desc" }],
          select: data,
        }),
      )
      return storedList(scope, shapes.Share, rows)
    },
  }
}
