import { createHash, randomBytes } from "node:crypto"
import { DocketError } from "../error.ts"
import { createGlobalBus } from "../event/global-bus.ts"
import { createJournal } from "../event/journal.ts"
import type { CreateId } from "../id/create-id.ts"
import { createMemoryService } from "../memory/create-memory-service.ts"
import type { MemoryService, Runtime, ScheduleService, TodoService } from "../runtime-port.ts"
import type { ApiToken, Session } from "../schema/index.ts"
import type { Store, TenantDatabase } from "../store/index.ts"
import { createTodoService } from "../todo/create-todo-service.ts"

/** What the program of one tenant works with. Nothing of another tenant can be reached through it. */
export interface Tenant {
  id: string
  todo: TodoService
  memory: MemoryService
  /** Null for a tenant that runs no agents. */
  schedule: ScheduleService | null
  hasSession(sessionID: string): Promise<boolean>
  /** The project of a session, without one that opened last; null when there is none. */
  projectOf(sessionID: string | null): Promise<string | null>
}

/** A token as its owner sees it later: without the hash. */
export type TokenInfo = Omit<ApiToken, "tokenHash">

export interface Tenants {
  /** The tenant that runs the agents, for callers who are signed in. */
  local: Tenant
  /** Whose token it is and what it is called. Null for an unknown, malformed or revoked one. */
  byToken(token: string): Promise<{ tenant: Tenant; name: string } | null>
  /** Makes a token. `token` is shown only now. @throws invalid_input */
  createToken(input: { tenantID: string; name: string }): Promise<{ token: string; info: TokenInfo }>
  /** Newest first, revoked ones included. */
  listTokens(tenantID: string): Promise<TokenInfo[]>
  /** Null when there is no such token. */
  revokeToken(id: string): Promise<TokenInfo | null>
}

export interface TenantsDeps {
  database: TenantDatabase
  /** The tenant of the runtime, with its services. */
  local: { id: string; runtime: Pick<Runtime, "todo" | "memory" | "schedule"> }
  createID: CreateId
  clock: () => number
  onError(error: unknown): void
}

const tokenForm = /^atr_[0-9a-f]{64}$/
const tenantForm = /^[a-z0-9][a-z0-9_-]{0,62}$/

/** The tenants of a database and their bearer tokens (`atr_` and 64 hex digits, kept as SHA-256). */
export function createTenants(deps: TenantsDeps): Tenants {
  const { tokens } = deps.database
  const local = localTenant(deps)
  const others = new Map<string, Tenant>()
  const tenantOf = (id: string): Tenant => {
    if (id === local.id) return local
    const tenant = others.get(id) ?? createTenant(deps, id)
    others.set(id, tenant)
    return tenant
  }
  return {
    local,
    async byToken(token) {
      if (!tokenForm.test(token)) return null
      const found = await tokens.byHash(hashOf(token))
      if (found === null || found.time.revoked !== null) return null
      return { tenant: tenantOf(found.tenantID), name: found.name }
    },
    async createToken({ tenantID, name }) {
      if (!tenantForm.test(tenantID)) {
        const message = `"${tenantID}" cannot name a tenant: use lower-case letters, digits, - and _, at most 63.`
        throw new DocketError("invalid_input", message)
      }
      const token = `atr_${randomBytes(32).toString("hex")}`
      const time = { created: deps.clock(), revoked: null }
      const row = { id: deps.createID("apiToken"), tenantID, name, tokenHash: hashOf(token), time }
      await tokens.put(row)
      return { token, info: withoutHash(row) }
    },
    listTokens: async (tenantID) => (await tokens.list(tenantID)).map(withoutHash),
    async revokeToken(id) {
      const revoked = await tokens.revoke(id, deps.clock())
      return revoked && withoutHash(revoked)
    },
  }
}

function localTenant({ database, local }: TenantsDeps): Tenant {
  const store = database.store(local.id)
  const { todo, memory, schedule } = local.runtime
  return { id: local.id, todo, memory, schedule, ...lookUps(store) }
}

function createTenant(deps: TenantsDeps, id: string): Tenant {
  const store = deps.database.store(id)
  const bus = createGlobalBus(deps.onError)
  const base = { bus, createID: deps.createID, clock: deps.clock }
  const sessionByID = async (sessionID: string): Promise<Session> => {
    const session = await store.session.get(sessionID)
    if (session !== null) return session
    throw new DocketError("session_not_found", `There is no session ${sessionID}.`)
  }
  const projectByID = async (projectID: string) => {
    const project = await store.project.get(projectID)
    if (project !== null) return project
    throw new DocketError("project_not_found", `There is no project ${projectID}.`)
  }
  return {
    id,
    todo: createTodoService({ ...base, store, journal: createJournal({ store, bus }) }),
    memory: createMemoryService({ ...base, store: store.memory, sessionByID, projectByID }),
    schedule: null,
    ...lookUps(store),
  }
}

function lookUps(store: Pick<Store, "session" | "project">): Pick<Tenant, "hasSession" | "projectOf"> {
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
