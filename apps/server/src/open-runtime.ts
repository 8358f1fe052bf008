import { randomInt } from "node:crypto"
import { homedir } from "node:os"
import path from "node:path"
import {
  createIdSource,
  createProviders,
  createRuntime,
  createSandbox,
  createTenants,
  type DocketError,
  type Providers,
  type Runtime,
  rehearsalLoader,
  type Tenants,
  type UseCases,
  userConfigDirectory,
} from "@docket/core"
import { type Caller, localPerson } from "@docket/core/schema"
import type { TenantDatabase } from "@docket/core/store"
import {
  type ClaimOptions,
  claimPostgresDatabase,
  openPostgresDatabase,
  openSqliteDatabase,
  type UnreadableRow,
} from "@docket/db"
import { env, processEnv } from "./env.ts"
import { createUnreadableProblems } from "./unreadable-problems.ts"

export interface OpenRuntimeOptions {
  /** Absolute path of the data directory. */
  data: string
  /** Settings of this service alone: absolute files, or JSON. */
  config: readonly string[]
  report(phase: string): void
  /** Another service has taken the database: this one cannot go on. */
  onTaken(error: DocketError): void
  onError(error: unknown): void
}

export interface OpenedRuntime {
  runtime: Runtime
  tenants: Tenants
  /** Loads what the first turn of a project needs: the catalogue and the provider's SDK. Never rejects. */
  warmUp(projectID: string): Promise<void>
}

/** The tenant that runs the agents of this service. */
const tenantID = "local"
/** Models that think without streaming are silent for minutes; longer means that the provider hangs. */
const providerTimeoutMs = 5 * 60_000

/** Opens the store, brings its tables up to date, and starts the runtime on it. @throws store_unavailable */
export async function openRuntime({
  data,
  config,
  report,
  onTaken,
  onError,
}: OpenRuntimeOptions): Promise<OpenedRuntime> {
  report(env.DATABASE_URL ? "database: PostgreSQL at DATABASE_URL" : `database ${databaseFile(data)}`)
  const unreadable = createUnreadableProblems(env.DATABASE_URL ? "PostgreSQL" : databaseFile(data), report)
  const lost = new Set<() => void>()
  const onLost = () => {
    report("the connection to the database broke; running turns are stopped")
    for (const listener of lost) listener()
  }
  const database = await openDatabase(data, { onLost, onTaken, onUnreadable: unreadable.add })
  try {
    report("models: keys, configuration, servers on this machine")
    const clock = Date.now
    const createID = createIdSource(clock, { after: await database.newestTime() })
    const providers = createProviders({
      dataDirectory: data,
      env: processEnv,
      home: homedir(),
      clock,
      loadRehearsal: rehearsalLoader(),
    })
    const sandbox = createSandbox({
      home: homedir(),
      env: processEnv,
      platform: process.platform,
      dataDirectory: data,
      configDirectory: userConfigDirectory({ home: homedir(), env: processEnv }),
      clock,
    })
    const runtime = await createRuntime({
      sandbox,
      store: database.store(tenantID),
      providers,
      createID,
      clock,
      random: () => randomInt(2 ** 32) / 2 ** 32,
      dataDirectory: data,
      home: homedir(),
      env: processEnv,
      commandLine: config,
      platform: process.platform,
      providerTimeoutMs,
      watchStore: (listener) => lost.add(listener),
      onError,
    })
    const tenants = createTenants({ database, local: { id: tenantID, runtime }, createID, clock, onError })
    const close = async () => {
      await runtime.close()
      sandbox.close()
      await database.close()
    }
    const as = (caller: Caller, key?: string): UseCases => {
      const useCases = runtime.as(caller, key)
      const get = async (projectID?: string) => unreadable.addTo(await useCases.config.get(projectID))
      return { ...useCases, config: { ...useCases.config, get } }
    }
    return {
      runtime: { as, close },
      tenants,
      warmUp: (projectID) => warmUp(runtime, providers, projectID),
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function warmUp(runtime: Runtime, providers: Providers, projectID: string): Promise<void> {
  try {
    const { config } = await runtime.as({ person: localPerson, workspace: tenantID }).config.get(projectID)
    await providers.resolve(await providers.defaultModel(config), config)
  } catch {
    // A model that cannot be had is the first turn's to explain.
  }
}

interface DatabaseListeners extends ClaimOptions {
  onUnreadable(row: UnreadableRow): void
}

async function openDatabase(data: string, listeners: DatabaseListeners): Promise<TenantDatabase> {
  if (env.DATABASE_URL) return openOwnPostgres(env.DATABASE_URL, listeners)
  const { onUnreadable } = listeners
  return openSqliteDatabase({ file: databaseFile(data), clock: Date.now, onUnreadable })
}

/** The lock on the data directory does not keep another service away from a database elsewhere. */
async function openOwnPostgres(url: string, listeners: DatabaseListeners): Promise<TenantDatabase> {
  const claim = await claimPostgresDatabase(url, listeners)
  try {
    const { onUnreadable } = listeners
    const database = await openPostgresDatabase({ url, onUnreadable, isOwner: claim.isHeld })
    const close = async () => {
      await database.close()
      await claim.release()
    }
    return { ...database, close }
  } catch (error) {
    await claim.release()
    throw error
  }
}

function databaseFile(data: string): string {
  return path.join(data, "docket.db")
}
