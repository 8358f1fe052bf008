import type { TurnStore } from "@docket/core/store"
import { shapes } from "../row/row-shapes.ts"
import { storedList, storedOrNull } from "../row/stored.ts"
import { data, type StoreScope } from "./store-scope.ts"

export function turnStore(scope: StoreScope): TurnStore {
  const { tenantID, read } = scope
  return {
    async get(id) {
      const where = { tenantID_id: { tenantID, id } }
      return storedOrNull(scope, shapes.Turn, await read(({ turn }) => turn.findUnique({ where, select: data })))
    },
    async open({ sessionID, rootID } = {}) {
      const where = {
        tenantID,
        status: { in: ["queued", "running"] },
        ...(sessionID !== undefined && { sessionID }),
        ...(rootID !== undefined && { rootID }),
      }
      const rows = await read(({ turn }) =>
        turn.findMany({ where, orderBy: [{ created: "asc" }, { id: "asc" }], select: data }),
      )
      return storedList(scope, shapes.Turn, rows)
    },
  }
}
