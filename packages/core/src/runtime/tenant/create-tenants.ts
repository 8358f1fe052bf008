import { createHash, randomBytes } from "node:crypto"
import { createKeyedQueue } from "../../ground/concurrency/keyed-queue.ts"
import { DocketError, isDocketError } from "../../ground/error/docket-error.ts"
import { missingSession } from "../../ground/error/missing-session.ts"
import { createBus } from "../../ground/event/bus.ts"
import { createJournal } from "../../ground/event/journal.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { ApiToken, Caller, Session } from "../../ground/schema/index.ts"
import type { Store, TenantDatabase, TenantHoldings } from "../../ground/store/index.ts"
import { createMemoryService } from "../../records/memory/create-memory-service.ts"
import { createSearch } from "../../records/search/create-search.ts"
import { createSearchIndex } from "../../records/search/search-index.ts"
import { createTodoService } from "../../records/todo/create-todo-service.ts"
import type { CallerServices } from "../caller-services.ts"
import { type BoundOperations, bindOperations } from "../operations/bind-operations.ts"
import { memoryOperations } from "../operations/memory-operations.ts"
import { searchOperations } from "../operations/search-operations.ts"
import { todoOperations } from "../operations/todo-operations.ts"
import { createRequests } from "../requests.ts"
import type { Runtime, UseCases } from "../runtime.ts"

/** The use cases of one tenant. No data of another tenant can be reached through it. */
export interface Tenant {
  id: string
  /** The use cases for a caller; rows that they cause carry the caller as `by`. `key`: see `Runtime.as`. */
  as(caller: Caller, key?: string): TenantUseCases
}

export interface TenantUseCases extends BoundOperations<typeof withoutAgents> {
  /** Null for a tenant that runs no agents, like `agents`. */
  schedule: UseCases["schedule"] | null
  agents: AgentUseCases | null
  /** Whether the session exists and is visible to the caller. */
  hasSession(sessionID: string): Promise<boolean>
  /** The project of a session that the caller sees; without a session, the last opened project. Null for none. */
  projectOf(sessionID: string | null): Promise<string | null>
}

/** The use cases that a tenant has only with agents. */
export type AgentUseCases = UseCases

/** A token as shown to its owner later: without the hash. */
export type TokenInfo = Omit<ApiToken, "tokenHash">

/** How much a tenant owns. `tokens` counts those that are not revoked. */
export type TenantInfo = TenantHoldings & { tokens: number }

export interface Tenants {
  /** The tenant that runs the agents, for callers who are signed in. */
  local: Tenant
  /** The tenant with this id, whether or not it owns anything yet. */
  of(tenantID: string): Promise<Tenant>
  /** The tenant, id and name of a token. Null for an unknown, malformed or revoked one. */
  byToken(token: string): Promise<{ tenant: Tenant; id: string; name: string } | null>
  /** All tenants that own something, if only a token, by name. */
  list(): Promise<TenantInfo[]>
  /**
   * Removes a tenant with everything it owns, and returns what that was. Afterwards its tokens are invalid and pending
   * writes for it are rejected. @throws tenant_not_found, invalid_input for the local tenant
   */
  remove(tenantID: string): Promise<TenantInfo>
  /** Creates a token, and the tenant with its first token. `token` is returned only here. @throws invalid_input */
  createToken(input: {
    tenantID: string
    name: string
    by?: Caller | undefined
  }): Promise<{ token: string; info: TokenInfo }>
  /** The tokens of one tenant or of all, newest first, including revoked ones. */
  listTokens(tenantID?: string): Promise<TokenInfo[]>
  /** @throws token_not_found */
  revokeToken(id: string): Promise<TokenInfo>
}

export interface TenantsDeps {
  database: TenantDatabase
  /** The tenant of the runtime, with its services. */
  local: { id: string; runtime: Pick<Runtime, "as"> }
  /** The other tenants that run agents; without it, there are none. */
  workspaces?: {
    /** Null for a tenant that is no workspace. */
    runtime(tenantID: string): Pick<Runtime, "as"> | null | Promise<Pick<Runtime, "as"> | null>
    /** Stops the work of a tenant and removes everything it owns here. */
    remove(tenantID: string): Promise<void>
  }
  createID: CreateId
  clock: () => number
  onError(error: unknown): void
}

/** The most unrevoked tokens of one tenant. */
const mostTokens = 500
const tokenForm = /^atr_[0-9a-f]{64}$/
const tenantForm = /^[a-z0-9][a-z0-9_-]{0,62}$/

/** Precision of a token's last use (ms): it is written at most this often. */
const usedWithin = 60_000

/** The tenants of a database and their bearer tokens (`atr_` and 64 hex digits, stored as SHA-256). */
export function createTenants(deps: TenantsDeps): Tenants {
  const { tokens } = deps.database
  const local = workspaceTenant(deps.local.id, deps.local.runtime)
  const others = new Map<string, Tenant>()
  let removals = 0
  const tenantOf = async (id: string): Promise<Tenant> => {
    if (id === local.id) return local
    const runtime = await deps.workspaces?.runtime(id)
    if (runtime) return workspaceTenant(id, runtime)
    const tenant = others.get(id) ?? createTenant(deps, id)
    others.set(id, tenant)
    return tenant
  }
  const byToken: Tenants["byToken"] = async (token) => {
    if (!tokenForm.test(token)) return null
    const removalsBefore = removals
    const found = await tokens.byHash(hashOf(token))
    // The token may have been read before its tenant was removed: read it again.
    if (removals !== removalsBefore) return byToken(token)
    if (found === null || found.time.revoked !== null) return null
    const tenant = await tenantOf(found.tenantID)
    await noteUse(deps, found)
    return { tenant, id: found.id, name: found.name }
  }
  return {
    ...tokenUseCases(deps),
    local,
    of: tenantOf,
    byToken,
    list: () => listTenants(deps.database),
    async remove(tenantID) {
      if (tenantID === local.id) {
        const message = `The tenant "${tenantID}" is the one whose agents this service runs; it cannot be removed.`
        throw new DocketError("invalid_input", message)
      }
      const owned = (await listTenants(deps.database)).find(({ id }) => id === tenantID)
      if (owned === undefined) throw new DocketError("tenant_not_found", `There is no tenant "${tenantID}".`)
      await (deps.workspaces ?? deps.database.tenants).remove(tenantID)
      others.delete(tenantID)
      removals += 1
      return owned
    },
  }
}

async function listTenants({ tenants, tokens }: TenantDatabase): Promise<TenantInfo[]> {
  const live = (await tokens.list()).filter(({ time }) => time.revoked === null)
  const holdings = await tenants.list()
  return holdings.map((owned) => ({ ...owned, tokens: live.filter(({ tenantID }) => tenantID === owned.id).length }))
}

/** A failure to record the use must not reject the request. */
async function noteUse({ database, clock, onError }: TenantsDeps, { id, time }: ApiToken): Promise<void> {
  const now = clock()
  if (time.used === null || now - time.used >= usedWithin) await database.tokens.used(id, now).catch(onError)
}

function tokenUseCases(deps: TenantsDeps): Pick<Tenants, "createToken" | "listTokens" | "revokeToken"> {
  const { tokens } = deps.database
  const inOrder = createKeyedQueue()
  const create = async ({ tenantID, name, by }: Parameters<Tenants["createToken"]>[0]) => {
    const live = (await tokens.list(tenantID)).filter(({ time }) => time.revoked === null)
    if (live.length >= mostTokens)
      throw new DocketError("too_many_keys", `"${tenantID}" has ${mostTokens} tokens. Revoke some that are not used.`)
    const token = `atr_${randomBytes(32).toString("hex")}`
    const time = { created: deps.clock(), used: null, revoked: null }
    const row = { id: deps.createID("apiToken"), tenantID, name, ...(by && { by }), tokenHash: hashOf(token), time }
    await tokens.put(row)
    return { token, info: withoutHash(row) }
  }
  return {
    async createToken(input) {
      const { tenantID } = input
      if (!tenantForm.test(tenantID)) {
        const message = `"${tenantID}" cannot name a tenant: use lower-case letters, digits, - and _, at most 63.`
        throw new DocketError("invalid_input", message)
      }
      return inOrder(tenantID, () => create(input))
    },
    listTokens: async (tenantID) => (await tokens.list(tenantID)).map(withoutHash),
    async revokeToken(id) {
      const revoked = await tokens.revoke(id, deps.clock())
      if (revoked === null) throw new DocketError("token_not_found", `There is no token ${id}.`)
      return withoutHash(revoked)
    },
  }
}

/** A tenant that runs agents. */
function workspaceTenant(id: string, runtime: Pick<Runtime, "as">): Tenant {
  const as = (caller: Caller, key?: string): TenantUseCases => {
    const agents = runtime.as(caller, key)
    const { session, project } = agents
    const found = (sessionID: string) => session.get({ sessionID }).catch(nullWhenMissing)
    return {
      ...agents,
      agents,
      hasSession: async (sessionID) => (await found(sessionID)) !== null,
      async projectOf(sessionID) {
        if (sessionID !== null) return (await found(sessionID))?.projectID ?? null
        return (await project.list())[0]?.id ?? null
      },
    }
  }
  return { id, as }
}

function nullWhenMissing(error: unknown): null {
  if (isDocketError(error) && error.code === "session_not_found") return null
  throw error
}

/** The operations of a tenant that runs no agents. */
const withoutAgents = {
  todo: todoOperations,
  memory: memoryOperations,
  search: { find: searchOperations.find },
}

function createTenant(deps: TenantsDeps, id: string): Tenant {
  const store = deps.database.store(id)
  const bus = createBus(deps.onError)
  const base = { bus, createID: deps.createID, clock: deps.clock }
  const sessionByID = async (sessionID: string): Promise<Session> => {
    const session = await store.session.get(sessionID)
    if (session !== null) return session
    throw missingSession(sessionID)
  }
  const projectByID = async (projectID: string) => {
    const project = await store.project.get(projectID)
    if (project !== null) return project
    throw new DocketError("project_not_found", `There is no project ${projectID}.`)
  }
  const todos = createTodoService({ ...base, store, journal: createJournal({ store, bus }) })
  const memories = createMemoryService({ ...base, store: store.memory, sessionByID, projectByID })
  const index = createSearchIndex({ store: store.search, bus, onError: deps.onError })
  const requests = createRequests({ clock: deps.clock, onError: deps.onError })
  const as = (caller: Caller, key?: string): TenantUseCases => {
    const search = createSearch({ store, index, sessionByID, clock: deps.clock }, caller)
    // The operations of these areas use no other services.
    const services = { todo: todos.as(caller), memory: memories.as(caller), search } as CallerServices
    const keyedRequests = key === undefined ? null : requests(caller, key)
    return {
      ...bindOperations(withoutAgents, {
        caller,
        services,
        visibility: null,
        whileMember: null,
        requests: keyedRequests,
        hosts: null,
        rows: store,
      }),
      schedule: null,
      agents: null,
      ...lookUps(store),
    }
  }
  return { id, as }
}

function lookUps(store: Pick<Store, "session" | "project">): Pick<TenantUseCases, "hasSession" | "projectOf"> {
  return {
    hasSession: async (id) => (await store.session.get(id)) !== null,
    async projectOf(id) {
      if (id !== null) return (await store.session.get(id))?.projectID ?? null
      return (await store.project.list())[0]?.id ?? null
    },
  }
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex")
}

function withoutHash({ tokenHash: _, ...info }: ApiToken): TokenInfo {
  return info
}
