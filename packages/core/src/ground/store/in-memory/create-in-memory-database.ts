import type { ApiToken, Workspace } from "../../schema/index.ts"
import type { ApiTokenStore, Store, TenantDatabase, TenantHoldings, WorkspaceStore } from "../port/index.ts"
import { createInMemoryStore } from "./create-in-memory-store.ts"
import { frozenCopy } from "./frozen-copy.ts"
import { inMemoryNodes } from "./nodes.ts"
import { inMemorySecrets } from "./secrets.ts"

/** Stores of several tenants in memory, for tests. */
export function createInMemoryDatabase({ clock = Date.now } = {}): TenantDatabase {
  const stores = new Map<string, Store>()
  const tokens = new Map<string, ApiToken>()
  const workspaces = new Map<string, Workspace>()
  const { forget, ...secrets } = inMemorySecrets(clock)
  return {
    store(tenantID) {
      const store = stores.get(tenantID) ?? createInMemoryStore()
      stores.set(tenantID, store)
      return store
    },
    tokens: createTokens(tokens),
    links: {
      async tenantOf(secretHash) {
        for (const [id, store] of stores) if ((await store.share.byHash(secretHash)) !== null) return id
        return null
      },
    },
    workspaces: createWorkspaces(workspaces, stores),
    nodes: inMemoryNodes(clock),
    secrets,
    tenants: {
      async list() {
        const owners = new Set([...workspaces.keys(), ...[...tokens.values()].map((token) => token.tenantID)])
        for (const [id, store] of stores) {
          if ((await store.standingGrant.newest(1)).length > 0) owners.add(id)
          if ((await store.webhook.list()).length > 0) owners.add(id)
        }
        const found: TenantHoldings[] = []
        for (const id of new Set([...owners, ...stores.keys()])) {
          const holdings = await holdingsOf(id, stores.get(id))
          if (owners.has(id) || holdings.sessions + holdings.todos + holdings.memories + holdings.schedules > 0) {
            found.push(holdings)
          }
        }
        return found.sort((a, b) => (a.id < b.id ? -1 : 1))
      },
      async remove(tenantID) {
        stores.delete(tenantID)
        workspaces.delete(tenantID)
        forget(tenantID)
        for (const token of tokens.values()) if (token.tenantID === tenantID) tokens.delete(token.id)
      },
    },
    // All ids in it are of this process.
    newestTime: async () => 0,
    close: async () => {},
  }
}

function createWorkspaces(workspaces: Map<string, Workspace>, stores: Map<string, Store>): WorkspaceStore {
  const hasWork = async (id: string) => {
    const store = stores.get(id)
    if (store === undefined) return false
    if ((await store.turn.open()).length > 0) return true
    if ((await store.webhook.list()).some(({ status }) => status === "active")) return true
    return (await store.schedule.due(Number.MAX_SAFE_INTEGER)).length > 0
  }
  const ids = () => [...workspaces.keys()].sort()
  return {
    list: async () => ids().flatMap((id) => workspaces.get(id) ?? []),
    async put(workspace) {
      workspaces.set(workspace.id, frozenCopy(workspace))
    },
    async withWork() {
      const found = await Promise.all(ids().map(hasWork))
      return ids().filter((_, index) => found[index])
    },
  }
}

function createTokens(tokens: Map<string, ApiToken>): ApiTokenStore {
  const timed = (token: ApiToken, time: Partial<ApiToken["time"]>) => {
    const changed = frozenCopy({ ...token, time: { ...token.time, ...time } })
    tokens.set(token.id, changed)
    return changed
  }
  return {
    async put(token) {
      tokens.set(token.id, frozenCopy(token))
    },
    byHash: async (hash) => [...tokens.values()].find((token) => token.tokenHash === hash) ?? null,
    list: async (tenantID) =>
      [...tokens.values()]
        .filter((token) => tenantID === undefined || token.tenantID === tenantID)
        .sort((a, b) => b.time.created - a.time.created || (a.id > b.id ? -1 : 1)),
    async revoke(id, now) {
      const token = tokens.get(id)
      return token?.time.revoked === null ? timed(token, { revoked: now }) : (token ?? null)
    },
    async used(id, now) {
      const token = tokens.get(id)
      if (token && (token.time.used ?? 0) < now) timed(token, { used: now })
    },
  }
}

/** More than any test stores. */
const all = 1_000_000

async function holdingsOf(id: string, store: Store | undefined): Promise<TenantHoldings> {
  if (store === undefined) return { id, sessions: 0, todos: 0, memories: 0, schedules: 0 }
  const roots = [false, true].map((archived) => store.session.listRoots({ archived, limit: all }))
  const trees = (await Promise.all(roots)).flatMap(({ items }) => items.map((item) => 1 + item.children))
  return {
    id,
    sessions: trees.reduce((sum, sessions) => sum + sessions, 0),
    todos: (await store.todo.find({ scope: { kind: "all" }, limit: all })).length,
    memories: (await store.memory.list({ all: true, limit: all })).length,
    schedules: (await store.schedule.list()).length,
  }
}
