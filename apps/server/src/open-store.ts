import path from "node:path"
import { DocketError } from "@docket/core"
import type { Blobs } from "@docket/core/blobs"
import type { Timers } from "@docket/core/timers"
import {
  claimPostgresDatabase,
  type OpenedDatabase,
  openPostgresDatabase,
  openSqliteDatabase,
  type UnreadableRow,
} from "@docket/db"
import type { NodeOptions } from "./command-line.js"
import { databaseKind, recordDatabase, requireRecorded } from "./database-record.ts"
import { env } from "./env.ts"
import { openContents } from "./nodes/open-contents.ts"
import { type NodeLink, openNode } from "./nodes/open-node.ts"
import { openVaults } from "./secrets/open-vaults.ts"
import type { Vaults } from "./secrets/vaults.ts"
import { createStoreWatch, type StoreWatch } from "./store-watch.ts"
import { createUnreadableProblems } from "./unreadable-problems.ts"

export interface OpenStoreOptions {
  /** Absolute path of the data directory. */
  data: string
  report(phase: string): void
  /** Another service has taken the database: this one must stop. */
  onTaken(error: DocketError): void
  /** Timers that find a database which is away for too long. */
  timers?: Timers | undefined
  onError(error: unknown): void
  /** Set for one of several nodes on the database. */
  node?: NodeOptions | undefined
}

/** What a service keeps: rows and secrets. */
export interface OpenedStore {
  database: OpenedDatabase
  vaults: Vaults
  /** The connection to other nodes of the database. */
  link: NodeLink | undefined
  /** A migration of a newer node without which this node must not go on; null for none. */
  missed(): Promise<string | null>
  /** Where nodes keep contents for each other. */
  blobs: Blobs | null
  watch: StoreWatch
  unreadable: ReturnType<typeof createUnreadableProblems>
  close(): Promise<void>
}

/**
 * Opens the database, applies migrations, and finds the secrets.
 * @throws store_unavailable, and config_invalid when the secrets cannot be opened
 */
export async function openStore(options: OpenStoreOptions): Promise<OpenedStore> {
  const { data, report, onTaken, onError, timers, node } = options
  const kind = databaseKind(env.DATABASE_URL)
  requireRecorded(data, kind)
  report(env.DATABASE_URL ? "database: PostgreSQL at DATABASE_URL" : `database ${databaseFile(data)}`)
  const unreadable = createUnreadableProblems(env.DATABASE_URL ? "PostgreSQL" : databaseFile(data), report)
  const watch = createStoreWatch({ report, onTaken })
  const blobs = node === undefined ? null : await openContents(env, report)
  const link = node && (await openNode(node, { url: nodesUrl(), data, onError }))
  let database: WithMissed | undefined
  const close = async () => {
    await link?.close()
    await database?.close()
  }
  try {
    database = await openDatabase(data, { timers, watch, onUnreadable: unreadable.add, link })
    const vaults = await openVaults({ data, kind, database, key: env.DOCKET_SECRET_KEY, report })
    recordDatabase(data, kind, vaults.place)
    const { missed } = database
    return { database, vaults, link, blobs, missed, watch, unreadable, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** @throws invalid_input without a database that nodes can share */
function nodesUrl(): string {
  if (env.DATABASE_URL) return env.DATABASE_URL
  throw new DocketError("invalid_input", "Nodes need DATABASE_URL: the PostgreSQL database that they share.")
}

interface DatabaseListeners {
  timers: Timers | undefined
  watch: StoreWatch
  onUnreadable(row: UnreadableRow): void
  /** The connection to other nodes. */
  link?: NodeLink | undefined
}

type WithMissed = OpenedDatabase & Pick<OpenedStore, "missed">

async function openDatabase(data: string, listeners: DatabaseListeners): Promise<WithMissed> {
  if (env.DATABASE_URL) return openOwnPostgres(env.DATABASE_URL, listeners)
  const { onUnreadable } = listeners
  const database = await openSqliteDatabase({ file: databaseFile(data), clock: Date.now, onUnreadable })
  return { ...database, missed: async () => null }
}

/** Claims the database first: the lock on the data directory does not protect a database on another machine. */
async function openOwnPostgres(
  url: string,
  { timers, watch, onUnreadable, link }: DatabaseListeners,
): Promise<WithMissed> {
  const claim = await claimPostgresDatabase(url, { ...watch.claim, ...(link && { as: "node" }) })
  try {
    const waits = { ownsDatabase: claim.ownsDatabase, ...(timers && { timers }), ...watch.outage }
    const database = await openPostgresDatabase({
      url,
      onUnreadable,
      waits,
      ...(link && { isShared: true, jobs: link.jobs }),
    })
    watch.opened(database.outage)
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
