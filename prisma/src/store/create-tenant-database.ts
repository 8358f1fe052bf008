import type { TenantDatabase } from "@docket/core/store"
import type { Database } from "../sql/database.ts"
import { createApiTokens } from "./api-tokens.ts"
import { createStore } from "./create-store.ts"
import { createKnownLists } from "./known-lists.ts"
import { createTenantGate, type TenantGate } from "./tenant-gate.ts"
import { listTenants, removeTenant } from "./tenants.ts"

/** An open database as what its users see of it. */
export function createTenantDatabase(database: Database): TenantDatabase {
  const lists = createKnownLists()
  const gates = new Map<string, TenantGate>()
  const gateOf = (tenantID: string) => {
    const gate = gates.get(tenantID) ?? createTenantGate(database, tenantID)
    gates.set(tenantID, gate)
    return gate
  }
  return {
    store: (tenantID) => createStore(gateOf(tenantID).database, tenantID, lists),
    tokens: createApiTokens(database),
    tenants: {
      list: () => database.read(listTenants()),
      async remove(tenantID) {
        await gateOf(tenantID).close()
        // The closed gate stays until the rows are gone, so that a store made meanwhile writes nothing either.
        await database.write(removeTenant(tenantID)).finally(() => gates.delete(tenantID))
        lists.forget(tenantID)
      },
    },
    close: database.close,
  }
}
