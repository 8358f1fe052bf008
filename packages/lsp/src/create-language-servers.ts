import { statSync } from "node:fs"
import path from "node:path"
import type { LanguageAnswer, LanguagePlace, LanguageQuestion, LanguageServers } from "@docket/core/language-servers"
import type { LanguageServerState } from "@docket/core/schema"
import type { Timers } from "@docket/core/timers"
import { type ConfiguredServer, configuredServers } from "./configured-servers.ts"
import type { PlacedServer, ServerRoom } from "./create-server-room.ts"
import { describeCheck, type Outcome } from "./describe-check.ts"
import { findCommand, findProgram, type Search } from "./find-program.ts"
import type { LanguageServer } from "./language-server.ts"
import { lookupMethods, readLookup } from "./read-lookup.ts"
import { rootOf } from "./root-of.ts"
import { textOf } from "./server-files.ts"

export interface LanguageServersDeps {
  timers: Timers
  /** Monotonic ms. */
  now(): number
  /** Epoch ms. */
  clock(): number
  /** Shared by all workspaces of a service. */
  room: ServerRoom
}

/** ms after which a server that nobody needs is stopped. */
const idleMs = 10 * 60_000
/** ms that a check waits for a server. */
const waitMs = 5_000
/** Ends after which a server is only started by a restart. */
const maxFailures = 3

interface Entry extends PlacedServer {
  id: string
  worktree: string
  root: string
  server: Promise<LanguageServer>
  pid: number
  since: number
  files(): number
  stopIdle(): void
  /** Gives its place to another server. */
  leave(): void
  isOver: boolean
}

/** See `LanguageServers`. Nothing starts before a file needs it. */
export function createLanguageServers(deps: LanguageServersDeps): LanguageServers {
  const entries = new Map<string, Entry>()
  const failures = new Map<string, { count: number; reason: string }>()
  /** The newest check of each file, so that older ones are not told late. */
  const newest = new Map<string, number>()
  let checks = 0
  let isClosed = false

  const stop = async (key: string, entry: Entry) => {
    entry.isOver = true
    if (entries.get(key) === entry) entries.delete(key)
    entry.stopIdle()
    entry.leave()
    const server = await entry.server.catch(() => null)
    await server?.end()
  }
  const rest = (key: string, entry: Entry) => {
    entry.stopIdle()
    entry.usedAt = deps.now()
    entry.stopIdle = deps.timers.after(idleMs, () => {
      if (entry.waiting === 0) void stop(key, entry)
      else rest(key, entry)
    })
  }
  const start = (key: string, place: LanguagePlace, { server, root, found }: Needed & { found: Found }): Entry => {
    const begin = async (): Promise<LanguageServer> => {
      const { file, args, readable } = found
      // Loaded at first use, because most services never start a server.
      const { createLanguageServer } = await import("./language-server.ts")
      const program = await place.start({ file, args: [...args], cwd: root, env: server.env ?? {}, readable })
      const made = createLanguageServer(deps, program, { definition: server, root })
      entry.pid = made.pid
      entry.files = made.files
      if (entry.isOver || isClosed) void made.end()
      void made.ended.then((reason) => over(key, entry, reason))
      return made
    }
    const placed = { waiting: 0, usedAt: deps.now(), stop: () => {} }
    const entry: Entry = Object.assign(placed, {
      ...{ id: server.id, worktree: place.worktree, root, pid: 0, since: deps.clock(), files: () => 0 },
      ...{ stopIdle: () => {}, leave: deps.room.enter(placed), isOver: false },
      server: begin(),
    })
    entry.stop = () => void stop(key, entry)
    entry.server.catch((error: unknown) => over(key, entry, error instanceof Error ? error.message : String(error)))
    entries.set(key, entry)
    return entry
  }
  const over = (key: string, entry: Entry, reason: string) => {
    entry.stopIdle()
    entry.leave()
    if (entries.get(key) === entry) entries.delete(key)
    if (entry.isOver) return
    entry.isOver = true
    failures.set(key, { count: (failures.get(key)?.count ?? 0) + 1, reason })
  }
  const use = async <T>(place: LanguagePlace, needed: Needed, work: (server: LanguageServer) => Promise<T>) => {
    const key = keyOf(place.worktree, needed)
    const entry = entries.get(key) ?? start(key, place, { ...needed, found: needed.found ?? findAgain(place, needed) })
    entry.waiting += 1
    rest(key, entry)
    try {
      return await work(await entry.server)
    } finally {
      entry.waiting -= 1
      if (!entry.isOver) rest(key, entry)
    }
  }
  /** The servers of a file that run or can be started. */
  const neededFor = async (place: LanguagePlace, file: string): Promise<Needed[]> => {
    if (isClosed || place.settings === false) return []
    const wanted = serversOf(place, file).flatMap((server): Needed[] => {
      const root = rootOf(server, place.worktree, file)
      if (server.isDisabled || root === null) return []
      const key = keyOf(place.worktree, { server, root })
      if ((failures.get(key)?.count ?? 0) >= maxFailures) return []
      if (entries.has(key)) return [{ server, root, found: null }]
      const search = searchFor(server, place, root)
      return "found" in search ? [{ server, root, found: search.found }] : []
    })
    if (wanted.every(({ found }) => found === null)) return wanted
    // Without a sandbox, no server runs in a project that nobody trusts.
    const isRefused = !place.isTrusted && (await place.unconfined()) !== null
    return isRefused ? wanted.filter(({ found }) => found === null) : wanted
  }
  return {
    async check(place, file, { before, signal, onWait, onLate }) {
      const needed = await neededFor(place, file)
      if (needed.length === 0) return null
      const text = await textOf(file)
      if (text === null) return null
      const number = ++checks
      newest.set(file, number)
      const name = path.relative(place.worktree, file)
      const waiting = new Set(needed.map(({ server }) => server.id))
      onWait([...waiting])
      const told = await Promise.all(
        needed.map(async (one) => {
          const { id } = one.server
          const say = (outcome: Outcome) =>
            describeCheck(id, name, relative(place.worktree, outcome), { seconds: waitMs / 1_000 })
          const work = use(place, one, (server) => server.check(file, text, before)).catch(failed)
          const outcome = await withinTime(deps.timers, work, signal)
          waiting.delete(id)
          onWait([...waiting])
          if (outcome !== null) return say(outcome)
          void work.then((late) => {
            if (newest.get(file) === number && !isClosed) onLate(say(late))
          })
          return say({ kind: "unknown" })
        }),
      )
      return told.join("\n")
    },
    areRunning: ({ worktree }) => [...entries.values()].some((entry) => entry.worktree === worktree),
    async look(place, question) {
      const needed = await neededFor(place, question.file)
      if (needed.length === 0) throw new Error(`No language server is there for ${path.basename(question.file)}.`)
      let last: unknown
      for (const one of needed) {
        try {
          return await askOne(use, place, one, question)
        } catch (error) {
          question.signal.throwIfAborted()
          last = error
        }
      }
      throw last
    },
    async list(place) {
      const unconfined = place.isTrusted || place.settings === false ? null : await place.unconfined()
      return configuredServers(place.settings).map((server) => {
        const own = [...entries.values()].filter(({ id, worktree }) => id === server.id && worktree === place.worktree)
        const failure = [...failures].find(([key]) => key.startsWith(`${place.worktree}\0${server.id}\0`))?.[1]
        return stateOf(server, { place, own, failure, unconfined })
      })
    },
    async restart({ worktree }, id) {
      for (const key of failures.keys()) if (key.startsWith(`${worktree}\0${id}\0`)) failures.delete(key)
      const own = [...entries].filter(([, entry]) => entry.worktree === worktree && entry.id === id)
      await Promise.all(own.map(([key, entry]) => stop(key, entry)))
    },
    async close() {
      isClosed = true
      await Promise.all([...entries].map(([key, entry]) => stop(key, entry)))
    },
  }
}

type Found = Extract<Search, { found: unknown }>["found"]

interface Needed {
  server: ConfiguredServer
  root: string
  /** Null when it runs. */
  found: Found | null
}

/** The program of a server that ran a moment ago. */
function findAgain(place: LanguagePlace, { server, root }: Needed): Found {
  const search = searchFor(server, place, root)
  if ("found" in search) return search.found
  throw new Error(search.reason)
}

async function askOne(
  use: <T>(place: LanguagePlace, needed: Needed, work: (server: LanguageServer) => Promise<T>) => Promise<T>,
  place: LanguagePlace,
  needed: Needed,
  question: LanguageQuestion,
): Promise<LanguageAnswer> {
  const method = lookupMethods[question.operation]
  const asked = use(place, needed, (server) => server.ask(method, question))
  const aborted = new Promise<never>((_resolve, reject) => {
    question.signal.addEventListener("abort", () => reject(question.signal.reason), { once: true })
  })
  const answer = await Promise.race([asked, aborted])
  return { server: needed.server.id, ...readLookup(question, answer) }
}

function serversOf(place: LanguagePlace, file: string): ConfiguredServer[] {
  const extension = path.extname(file).toLowerCase()
  return configuredServers(place.settings).filter(({ extensions }) => extensions.includes(extension))
}

function searchFor(server: ConfiguredServer, place: LanguagePlace, root: string): Search {
  return server.command === null
    ? findProgram({ ...server, fromDocket: true }, place, root)
    : findCommand(server.command, place, root)
}

function keyOf(worktree: string, { server, root }: Pick<Needed, "server" | "root">): string {
  const { id, command, env, initialization } = server
  return `${worktree}\0${id}\0${root}\0${JSON.stringify([command, env, initialization])}`
}

function failed(error: unknown): Outcome {
  return { kind: "failed", reason: error instanceof Error ? error.message : String(error) }
}

/** Null when the time is over or the signal aborts. */
function withinTime(timers: Timers, work: Promise<Outcome>, signal: AbortSignal): Promise<Outcome | null> {
  return new Promise((resolve) => {
    const done = (outcome: Outcome | null) => {
      forget()
      signal.removeEventListener("abort", stopped)
      resolve(outcome)
    }
    const stopped = () => done(null)
    const forget = timers.after(waitMs, () => done(null))
    signal.addEventListener("abort", stopped, { once: true })
    if (signal.aborted) stopped()
    void work.then(done)
  })
}

/** Only files of the project are named. */
function relative(worktree: string, outcome: Outcome): Outcome {
  if (outcome.kind !== "found") return outcome
  const others = outcome.others.flatMap(({ file, fresh }) => {
    const name = path.relative(worktree, file)
    return name.startsWith("..") || path.isAbsolute(name) ? [] : [{ file: name, fresh }]
  })
  return { ...outcome, others }
}

interface Known {
  place: LanguagePlace
  own: readonly Entry[]
  failure: { count: number; reason: string } | undefined
  unconfined: string | null
}

function stateOf(server: ConfiguredServer, { place, own, failure, unconfined }: Known): LanguageServerState {
  const { id, extensions } = server
  const disabled =
    place.settings === false
      ? 'Language servers are off: "lsp" is false in docket.json.'
      : "The configuration turns it off."
  // Nothing is looked for.
  if (server.isDisabled && own.length === 0)
    return {
      ...{ id, extensions: [...extensions], state: "disabled", program: null, from: null, running: [] },
      reason: disabled,
    }
  const search = searchFor(server, place, place.worktree)
  const program = "found" in search ? search.found.file : search.program
  const from = "found" in search ? search.found.from : search.from
  const running = own.map(({ root, pid, since, files }) => ({ root, pid, since, files: files() }))
  const state = { id, extensions: [...extensions], program, from, running, reason: null }
  if (own.length > 0) return { ...state, state: own.some(({ pid }) => pid > 0) ? "running" : "starting" }
  if (!("found" in search)) return { ...state, state: search.missing, reason: search.reason }
  if (unconfined !== null)
    return { ...state, state: "refused", reason: `${unconfined} Trust the project if it may run without a sandbox.` }
  if (failure !== undefined && failure.count >= maxFailures)
    return { ...state, state: "failed", reason: `It was started ${maxFailures} times, and ${failure.reason}.` }
  if (server.needsMarker && !server.markers.some((name) => exists(path.join(place.worktree, name))))
    return { ...state, state: "ready", reason: `It works below a ${server.markers.join(" or ")}.` }
  return { ...state, state: "ready", reason: failure === undefined ? null : `The last time ${failure.reason}.` }
}

function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined
}
