import type { ExtensionPlace } from "@docket/core/extension-host"
import { orAborted } from "@docket/core/or-aborted"
import { createProgramLog, type ProgramLog, withLast } from "@docket/core/program-log"
import type { ProgramRoom } from "@docket/core/program-room"
import type { Timers } from "@docket/core/timers"
import type { Trace } from "@docket/core/trace"
import { cacheKeyOf, digestOf, mayRun } from "./configured-servers.ts"
import { needOfSignIn } from "./oauth/needs-sign-in.ts"
import type { ServerAuth } from "./oauth/server-auth.ts"
import type { PlacedServer } from "./placed-server.ts"
import { secretsIn } from "./secrets-in.ts"
import type { ServerConnection } from "./server-connection.ts"
import { switchedOff } from "./switched-off.ts"
import type { KnownServer, ToolCache } from "./tool-cache.ts"

export interface ServerPoolDeps {
  timers: Timers
  /** Monotonic ms. */
  now(): number
  trace: Trace
  cache: ToolCache
  /** Shared by all workspaces of a service. */
  room: ProgramRoom
  /** What signs the requests of a person to a server; null where nothing does. */
  authOf(place: ExtensionPlace, server: PlacedServer, person: string | null): Promise<ServerAuth | null>
}

/** ms after which a server that nobody calls is stopped. */
const idleMs = 10 * 60_000
/** ms that a server may take to start. */
const usualStart = 30_000
/** ms before a server that ended is started again; doubles with each end. */
const backOff = { first: 1_000, longest: 5 * 60_000 } as const
/** ms after which a server that runs is taken for sound again. */
const soundMs = 60_000

/** Servers that are remembered though they do not run, and ms that one that nobody uses is remembered at least. */
const remembered = { most: 200, ms: 60 * 60_000 } as const

/** Resources of a server that are watched. */
const mostWatched = 100

/** One server of a worktree and a configuration, running or not. */
export interface PooledServer {
  /** Its worktree, configuration and person. */
  key: string
  server: PlacedServer
  /** Whose sign-in it works with; null for one that all share, or that needs none. */
  person: string | null
  /** Somebody has to sign in before it answers. */
  needsSignIn: boolean
  worktree: string
  digest: string
  /** See `cacheKeyOf`. */
  cacheKey: string
  log: ProgramLog
  /** Null when it does not run. */
  running: Promise<ServerConnection> | null
  isReady: boolean
  /** Counts starts and stops: what an earlier start brings no longer counts. */
  run: number
  /** What it said of its tools last; undefined before the kept list was read. */
  known: KnownServer | null | undefined
  /** How often each watched resource has changed. */
  resourceChanges: Map<string, number>
  failures: number
  failure: string | null
  /** Monotonic ms before which it is not started. */
  retryAt: number
  waiting: number
  usedAt: number
  stop(): void
  stopIdle(): void
  /** Ends a start that is under way. */
  stopStart(): void
}

/** The servers that run: one for each worktree, configuration and, where each person signs in, person. */
export interface ServerPool {
  of(place: ExtensionPlace, server: PlacedServer, person: string | null): PooledServer
  /** Undefined where it was never needed. */
  find(place: ExtensionPlace, server: PlacedServer, person: string | null): PooledServer | undefined
  /** What it said of itself last; null where nothing is known. */
  known(entry: PooledServer): Promise<KnownServer | null>
  /** Starts it where it does not run. @throws Error in words for the model */
  ensure(entry: PooledServer, place: ExtensionPlace): Promise<ServerConnection>
  /** Works with a server, which is started where it does not run. @throws as `ensure`, and what `work` throws */
  use<T>(
    entry: PooledServer,
    place: ExtensionPlace,
    signal: AbortSignal,
    work: (connection: ServerConnection) => Promise<T>,
  ): Promise<T>
  /** Starts it, whatever it failed of before. What goes wrong is kept in its log. */
  start(entry: PooledServer, place: ExtensionPlace): Promise<void>
  /** The same, in place of a connection that is there. */
  connectAgain(entry: PooledServer, place: ExtensionPlace): Promise<void>
  /** Ends all of this name in a worktree, and forgets what they failed of. */
  restart(worktree: string, name: string): Promise<void>
  /** Lets a server tell of changes of a resource. Whether it will. */
  watch(entry: PooledServer, connection: ServerConnection, uri: string): Promise<boolean>
  stop(entry: PooledServer): Promise<void>
  close(): Promise<void>
}

/** See `ServerPool`. Nothing starts before it is needed. */
export function createServerPool(deps: ServerPoolDeps): ServerPool {
  const { cache } = deps
  const entries = new Map<string, PooledServer>()
  let isClosed = false
  /** Projects, configurations and people come and go. */
  const forgetUnused = () => {
    for (const [key, { running, waiting, usedAt }] of entries)
      if (running === null && waiting === 0 && deps.now() - usedAt > remembered.ms) entries.delete(key)
  }
  const entryOf = (place: ExtensionPlace, server: PlacedServer, person: string | null): PooledServer => {
    const { worktree } = place.project
    const key = keyOf(place, server, person)
    const known = entries.get(key)
    if (known !== undefined) return known
    if (entries.size >= remembered.most) forgetUnused()
    const entry: PooledServer = {
      ...{
        key,
        server,
        person,
        worktree,
        digest: digestOf(server),
        log: createProgramLog(secretsIn(server.config)),
        known: undefined,
      },
      ...{ cacheKey: cacheKeyOf(place, server, person), resourceChanges: new Map() },
      ...{ running: null, isReady: false, needsSignIn: false, run: 0 },
      ...{ failures: 0, failure: null, retryAt: 0, waiting: 0, usedAt: deps.now() },
      stop: () => void stop(entry),
      stopIdle: () => {},
      stopStart: () => {},
    }
    entries.set(key, entry)
    return entry
  }
  const stop = async (entry: PooledServer) => {
    const { running } = entry
    entry.run += 1
    entry.running = null
    entry.isReady = false
    entry.stopIdle()
    entry.stopStart()
    const connection = await running?.catch(() => null)
    await connection?.close()
  }
  const rest = (entry: PooledServer) => {
    entry.stopIdle()
    entry.usedAt = deps.now()
    entry.stopIdle = deps.timers.after(idleMs, () => {
      if (entry.waiting === 0) void stop(entry)
      else rest(entry)
    })
  }
  const keep = (entry: PooledServer, known: KnownServer) => {
    entry.known = known
    cache.write(entry.cacheKey, known).catch((error: unknown) => entry.log.add(`[Docket] ${String(error)}`))
  }
  const failed = (entry: PooledServer, failure: string) => {
    entry.failures += 1
    entry.failure = entry.log.shown(failure)
    entry.retryAt = deps.now() + Math.min(backOff.first * 2 ** (entry.failures - 1), backOff.longest)
    entry.log.add(`[Docket] ${failure}`)
  }
  const watch = (entry: PooledServer, connection: ServerConnection, uri: string) =>
    connection.watch(uri, AbortSignal.timeout(usualStart)).catch((error: unknown) => {
      entry.log.add(`[Docket] It does not tell of changes of ${uri}: ${String(error)}`)
      return false
    })
  const start = async (entry: PooledServer, place: ExtensionPlace): Promise<ServerConnection> => {
    const { server } = entry
    entry.run += 1
    const { run } = entry
    const startMs = server.config.start_timeout ?? usualStart
    const leave = deps.room.enter(entry)
    // One that starts gives its place to no other: else more servers than may run would end each other for ever.
    entry.waiting += 1
    const late = new AbortController()
    const forget = deps.timers.after(startMs, () =>
      late.abort(new Error(`It did not start within ${startMs / 1_000} seconds.`)),
    )
    entry.stopStart = () => late.abort(new Error("It was stopped while it started."))
    try {
      // Loaded at first use: most services never start a server.
      const { openServer } = await import("./open-server.ts")
      const auth = await deps.authOf(place, server, entry.person)
      const connection = await openServer(deps, server, {
        ...{ place, auth, startMs, log: entry.log, signal: late.signal },
        onChange: (known) => keep(entry, known),
        // What nobody watches is not kept.
        onResource(uri) {
          const changes = entry.resourceChanges.get(uri)
          if (changes !== undefined) entry.resourceChanges.set(uri, changes + 1)
        },
      })
      if (entry.run !== run) {
        await connection.close()
        throw new Error("It was stopped while it started.")
      }
      for (const uri of entry.resourceChanges.keys()) void watch(entry, connection, uri)
      const startedAt = deps.now()
      keep(entry, connection.known)
      entry.failure = null
      entry.needsSignIn = false
      entry.isReady = true
      void connection.ended.then(async ({ how, last }) => {
        leave()
        await connection.close()
        if (entry.run !== run) return
        entry.running = null
        entry.isReady = false
        entry.stopIdle()
        if (deps.now() - startedAt > soundMs) entry.failures = 0
        failed(entry, withLast(`It ${how === "ended" ? "ended by itself" : how}.`, last))
      })
      return connection
    } catch (error) {
      leave()
      entry.needsSignIn = needOfSignIn(error) !== null
      throw late.signal.aborted ? late.signal.reason : error
    } finally {
      forget()
      entry.waiting -= 1
    }
  }
  /** Starts it where it does not run. @throws Error in words for the model */
  const ensure = (entry: PooledServer, place: ExtensionPlace): Promise<ServerConnection> => {
    if (entry.running !== null) return entry.running
    const { name } = entry.server
    const again = Math.ceil((entry.retryAt - deps.now()) / 1_000)
    if (isClosed) return Promise.reject(new Error(`The MCP server "${name}" is stopped, because Docket stops.`))
    if (again > 0)
      return Promise.reject(
        new Error(`The MCP server "${name}" does not run, and is tried again in ${again} seconds: ${entry.failure}`),
      )
    const running = start(entry, place).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      if (entry.running === running) {
        entry.running = null
        failed(entry, why)
      }
      throw new Error(`The MCP server "${name}" did not start: ${why}`, { cause: error })
    })
    entry.running = running
    rest(entry)
    return running
  }
  /** Works with a server, which is started where it does not run. */
  const use = async <T>(
    asked: PooledServer,
    place: ExtensionPlace,
    signal: AbortSignal,
    work: (connection: ServerConnection) => Promise<T>,
  ): Promise<T> => {
    // A turn may hold one that was forgotten meanwhile.
    const entry = entries.get(asked.key) ?? asked
    entries.set(entry.key, entry)
    // Somebody may have switched it off while a turn runs, here or at another place.
    if (!(await mayRun(place, entry.server))) {
      await stop(entry)
      throw await switchedOff(place, entry.server, { during: false })
    }
    entry.waiting += 1
    try {
      const connection = await orAborted(ensure(entry, place), signal)
      return await work(connection).catch(async (error: unknown) => {
        if (!hasLostSession(error)) throw error
        // The server refused the request before it did anything.
        await stop(entry)
        return work(await orAborted(ensure(entry, place), signal))
      })
    } catch (error) {
      if (needOfSignIn(error) !== null) entry.needsSignIn = true
      if (!signal.aborted && !(await mayRun(place, entry.server)))
        throw await switchedOff(place, entry.server, { during: true, cause: error })
      throw error
    } finally {
      entry.waiting -= 1
      if (entry.running !== null) rest(entry)
    }
  }
  const known = async (entry: PooledServer): Promise<KnownServer | null> => {
    if (entry.known === undefined) {
      const kept = await cache.read(entry.cacheKey)
      // The server may have answered meanwhile.
      entry.known ??= kept
    }
    return entry.known ?? null
  }
  const startAnyway = async (entry: PooledServer, place: ExtensionPlace) => {
    forgive(entry)
    await ensure(entry, place).catch(() => {})
  }
  return {
    of: entryOf,
    find: (place, server, person) => entries.get(keyOf(place, server, person)),
    known,
    ensure,
    use,
    start: startAnyway,
    async connectAgain(entry, place) {
      await stop(entry)
      await startAnyway(entry, place)
    },
    async restart(worktree, name) {
      const own = [...entries.values()].filter((entry) => entry.server.name === name && entry.worktree === worktree)
      for (const entry of own) forgive(entry)
      await Promise.all(own.map(stop))
    },
    async watch(entry, connection, uri) {
      if (entry.resourceChanges.has(uri)) return true
      if (entry.resourceChanges.size >= mostWatched || !(await watch(entry, connection, uri))) return false
      entry.resourceChanges.set(uri, 0)
      return true
    },
    stop,
    async close() {
      isClosed = true
      await Promise.all([...entries.values()].map(stop))
    },
  }
}

/** What it failed of counts no more. */
function forgive(entry: PooledServer): void {
  entry.failures = 0
  entry.failure = null
  entry.retryAt = 0
  entry.needsSignIn = false
}

/** Whether a remote server does not know the session any more (status 404 by the protocol): it wants a new one. */
function hasLostSession(error: unknown): boolean {
  const { cause } = Object(error)
  return [error, cause].some((one) => one instanceof Error && "status" in one && one.status === 404)
}

function keyOf({ project }: ExtensionPlace, server: PlacedServer, person: string | null): string {
  return `${project.worktree}\0${digestOf(server)}\0${person ?? ""}`
}
