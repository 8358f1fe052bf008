import { records, type TurnStore } from "@docket/core/store"
import { storedList } from "../row/stored.ts"
import { openTurns } from "../tree/open-turns.ts"
import { oneRow } from "./one-row.ts"
import { selectRows } from "./select-rows.ts"
import type { StoreScope } from "./store-scope.ts"

export function turnStore(scope: StoreScope): TurnStore {
  const { read } = scope
  return {
    get: (id) => oneRow(scope, records.Turn, "id", id),
    open: (place = {}) => read({ program: () => openTurns(scope, place) }),
    async tree(rootID) {
      const query = { where: { rootID }, order: ["created", "id"] } as const
      return storedList(scope, records.Turn, await read({ program: () => selectRows(scope, records.Turn, query) }))
    },
  }
}
