import type { TenantDatabase } from "@docket/core/store"
import type { Database } from "../sql/database.ts"
import { createApiTokens } from "./api-tokens.ts"
import { createStore } from "./create-store.ts"

/** An open database as what its users see of it. */
export function createTenantDatabase(database: Database): TenantDatabase {
  return {
    store: (tenantID) => createStore(database, tenantID),
    tokens: createApiTokens(database),
    close: database.close,
  }
}
