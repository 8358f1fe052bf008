import { records, type TurnStore } from "@docket/core/store"
import { storedList, storedOrNull } from "../row/stored.ts"
import { openTurns } from "../tree/open-turns.ts"
import { data, type StoreScope } from "./store-scope.ts"

export function turnStore(scope: StoreScope): TurnStore {
  const { tenantID, read } = scope
  return {
    async get(id) {
      const where = { tenantID_id: { tenantID, id } }
      return storedOrNull(scope, records.Turn, await read(({ turn }) => turn.findUnique({ where, select: data })))
    },
    open: (of = {}) => read({ program: () => openTurns(scope, of) }),
    async tree(rootID) {
      const orderBy = [{ created: "asc" as const }, { id: "asc" as const }]
      const query = { where: { tenantID, rootID }, orderBy, select: data }
      return storedList(scope, records.Turn, await read(({ turn }) => turn.findMany(query)))
    },
  }
}
