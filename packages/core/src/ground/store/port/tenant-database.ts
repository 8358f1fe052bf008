import type { ApiToken, Workspace } from "../../schema/index.ts"
import type { NodeStore } from "./node-store.ts"
import type { SecretStore } from "./secret-store.ts"
import type { Store } from "./store.ts"

/** Bearer tokens of all tenants: whoever asks does not know yet which tenant is theirs. */
export interface ApiTokenStore {
  put(token: ApiToken): Promise<void>
  /** Also a revoked one: look at `time.revoked`. */
  byHash(tokenHash: string): Promise<ApiToken | null>
  /** The tokens of one tenant or of all, newest first, including revoked ones. */
  list(tenantID?: string): Promise<ApiToken[]>
  /** The first time counts. Answers with the token, null when there is none. */
  revoke(id: string, now: number): Promise<ApiToken | null>
  /** Notes that the token was used. An earlier time than the one noted changes nothing, nor does an unknown id. */
  used(id: string, now: number): Promise<void>
}

/** How many things of each kind a tenant owns. */
export interface TenantHoldings {
  id: string
  sessions: number
  todos: number
  /** Memory entries, invalidated ones included. */
  memories: number
  schedules: number
}

export interface TenantStore {
  /** Every tenant that owns something, if only a token, by id. */
  list(): Promise<TenantHoldings[]>
  /**
   * Deletes who belongs to the tenant, then every row of it, its tokens included, in one transaction. A store of it
   * that was handed out before writes nothing any more. Removing one that owns nothing is no error.
   */
  remove(tenantID: string): Promise<void>
}

/** The workspaces: tenants that run agents. The local one has a row only once something was set of it. */
export interface WorkspaceStore {
  /** In the order of their ids. */
  list(): Promise<Workspace[]>
  /** One of the same id is replaced. It goes with its tenant. @throws tenant_not_found when that is being removed */
  put(workspace: Workspace): Promise<void>
  /** The sorted ids of workspaces in which turns wait or run, schedules are to fire, or webhooks are to be told. */
  withWork(): Promise<string[]>
}

/** The links of all tenants: whoever has one does not know whose it is. */
export interface LinkDirectory {
  /** The tenant whose link has this secret, in one question however many tenants there are. Null when none has. */
  tenantOf(secretHash: string): Promise<string | null>
}

/** An open database, which keeps the rows of several tenants apart. */
export interface TenantDatabase {
  store(tenantID: string): Store
  workspaces: WorkspaceStore
  tokens: ApiTokenStore
  links: LinkDirectory
  tenants: TenantStore
  nodes: NodeStore
  secrets: SecretStore
  /** The latest time (epoch ms) that any stored id carries; 0 when there is none. */
  newestTime(): Promise<number>
  close(): Promise<void>
}
