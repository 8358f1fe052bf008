import type { ApiToken } from "../../schema/index.ts"
import type { Store, TenantDatabase } from "../port.ts"
import { createMemoryStore } from "./create-memory-store.ts"
import { frozenCopy } from "./frozen-copy.ts"

/** Stores of several tenants in memory, for tests. */
export function createMemoryDatabase(): TenantDatabase {
  const stores = new Map<string, Store>()
  const tokens = new Map<string, ApiToken>()
  return {
    store(tenantID) {
      const store = stores.get(tenantID) ?? createMemoryStore()
      stores.set(tenantID, store)
      return store
    },
    tokens: {
      async put(token) {
        tokens.set(token.id, frozenCopy(token))
      },
      byHash: async (hash) => [...tokens.values()].find((token) => token.tokenHash === hash) ?? null,
      list: async (tenantID) =>
        [...tokens.values()]
          .filter((token) => token.tenantID === tenantID)
          .sort((a, b) => b.time.created - a.time.created || (a.id > b.id ? -1 : 1)),
      async revoke(id, now) {
        const token = tokens.get(id)
        if (!token || token.time.revoked !== null) return token ?? null
        const revoked = frozenCopy({ ...token, time: { ...token.time, revoked: now } })
        tokens.set(id, revoked)
        return revoked
      },
    },
    close: async () => {},
  }
}
