import { createHash } from "node:crypto"
import type { ExtensionHost, ExtensionPlace, JudgedFile } from "@docket/core/extension-host"
import { mcpNotes, mcpServersOf } from "@docket/core/mcp-servers"
import { orAborted } from "@docket/core/or-aborted"
import type { ProgramRoom } from "@docket/core/program-room"
import { matchWildcard } from "@docket/core/rule"
import type { ExtensionItem, ExtensionRef, McpServer, Turn } from "@docket/core/schema"
import type { Timers } from "@docket/core/timers"
import type { Tool } from "@docket/core/tool"
import { createCommand } from "./create-command.ts"
import { createTool } from "./create-tool.ts"
import { mentionedResources, readMentioned } from "./mentioned-resources.ts"
import { needOfSignIn } from "./oauth/needs-sign-in.ts"
import type { SignInServer, SignIns } from "./oauth/sign-ins.ts"
import { createResourceTool, type ResourceServer } from "./resource-tool.ts"
import type { CallOptions, ServerConnection } from "./server-connection.ts"
import { createServerLog, type ServerLog } from "./server-log.ts"
import type { ServerTool } from "./server-tool.ts"
import { createToolCache, type KnownServer } from "./tool-cache.ts"
import { createToolNames } from "./tool-names.ts"

export interface McpServersDeps {
  timers: Timers
  /** Monotonic ms. */
  now(): number
  createID(kind: "part"): string
  /** Epoch ms. */
  clock(): number
  /** Where the lists of tools are kept (absolute). */
  cacheDirectory: string
  /** Shared by all workspaces of a service. */
  room: ProgramRoom
}

/** ms after which a server that nobody calls is stopped. */
const idleMs = 10 * 60_000
/** ms that a server may take to start. */
const usualStart = 30_000
/** ms that a prompt waits for a command's text, or for a resource that it names. */
const promptMs = 30_000
/** ms before a server that ended is started again; doubles with each end. */
const backOff = { first: 1_000, longest: 5 * 60_000 } as const
/** ms after which a server that runs is taken for sound again. */
const soundMs = 60_000

interface Entry {
  server: McpServer
  /** Whose sign-in it works with; null for one that all share, or that needs none. */
  person: string | null
  /** Somebody has to sign in before it answers. */
  needsSignIn: boolean
  worktree: string
  digest: string
  log: ServerLog
  /** Null when it does not run. */
  running: Promise<ServerConnection> | null
  isReady: boolean
  /** Counts starts and stops: what an earlier start brings no longer counts. */
  run: number
  /** What it said of its tools last; undefined before the kept list was read. */
  known: KnownServer | null | undefined
  failures: number
  failure: string | null
  /** Monotonic ms before which it is not started. */
  retryAt: number
  waiting: number
  usedAt: number
  stop(): void
  stopIdle(): void
}

/** Runs MCP servers, one for each worktree and configuration, and gives their tools. */
export function createMcpServers(deps: McpServersDeps): ExtensionHost {
  const cache = createToolCache(deps.cacheDirectory)
  const entries = new Map<string, Entry>()
  let isClosed = false

  let loaded: Promise<SignIns> | null = null
  // Loaded at first use: few servers need a sign-in.
  const signIns = () => (loaded ??= import("./oauth/sign-ins.ts").then(({ createSignIns }) => createSignIns(deps)))
  const entryOf = (place: ExtensionPlace, server: McpServer, person: string | null): Entry => {
    const { worktree } = place.project
    const digest = digestOf(server)
    const key = keyOf(place, server, person)
    const known = entries.get(key)
    if (known !== undefined) return known
    const entry: Entry = {
      ...{
        server,
        person,
        needsSignIn: false,
        worktree,
        digest,
        log: createServerLog(),
        running: null,
        isReady: false,
        run: 0,
        known: undefined,
      },
      ...{ failures: 0, failure: null, retryAt: 0, waiting: 0, usedAt: deps.now() },
      stop: () => void stop(entry),
      stopIdle: () => {},
    }
    entries.set(key, entry)
    return entry
  }
  const stop = async (entry: Entry) => {
    const { running } = entry
    entry.run += 1
    entry.running = null
    entry.isReady = false
    entry.stopIdle()
    const connection = await running?.catch(() => null)
    await connection?.close()
  }
  const rest = (entry: Entry) => {
    entry.stopIdle()
    entry.usedAt = deps.now()
    entry.stopIdle = deps.timers.after(idleMs, () => {
      if (entry.waiting === 0) void stop(entry)
      else rest(entry)
    })
  }
  const keep = (entry: Entry, known: KnownServer) => {
    entry.known = known
    cache.write(entry.digest, known).catch((error: unknown) => entry.log.add(`[Docket] ${String(error)}`))
  }
  const failed = (entry: Entry, failure: string) => {
    entry.failures += 1
    entry.failure = failure
    entry.retryAt = deps.now() + Math.min(backOff.first * 2 ** (entry.failures - 1), backOff.longest)
    entry.log.add(`[Docket] ${failure}`)
  }
  const start = async (entry: Entry, place: ExtensionPlace): Promise<ServerConnection> => {
    const { server } = entry
    entry.run += 1
    const { run } = entry
    const startMs = server.config.start_timeout ?? usualStart
    const leave = deps.room.enter(entry)
    const late = new AbortController()
    const forget = deps.timers.after(startMs, () =>
      late.abort(new Error(`It did not start within ${startMs / 1_000} seconds.`)),
    )
    try {
      // Loaded at first use: most services never start a server.
      const { openServer } = await import("./open-server.ts")
      const remote = remoteOf(server)
      const auth = remote && (await signIns()).authOf(place, remote, entry.person)
      const connection = await openServer(deps, server, {
        ...{ place, auth, startMs, log: entry.log, signal: late.signal },
        onChange: (known) => keep(entry, known),
      })
      if (entry.run !== run) {
        await connection.close()
        throw new Error("It was stopped while it started.")
      }
      const startedAt = deps.now()
      keep(entry, connection.known)
      entry.failure = null
      entry.needsSignIn = false
      entry.isReady = true
      void connection.ended.then(async () => {
        leave()
        await connection.close()
        if (entry.run !== run) return
        entry.running = null
        entry.isReady = false
        entry.stopIdle()
        if (deps.now() - startedAt > soundMs) entry.failures = 0
        failed(entry, "It ended by itself.")
      })
      return connection
    } catch (error) {
      leave()
      entry.needsSignIn = needOfSignIn(error) !== null
      throw late.signal.aborted ? late.signal.reason : error
    } finally {
      forget()
    }
  }
  /** Starts it where it does not run. @throws Error in words for the model */
  const ensure = (entry: Entry, place: ExtensionPlace): Promise<ServerConnection> => {
    if (entry.running !== null) return entry.running
    const { name } = entry.server
    const again = Math.ceil((entry.retryAt - deps.now()) / 1_000)
    if (isClosed) return Promise.reject(new Error(`The MCP server "${name}" is stopped, because Docket stops.`))
    if (again > 0)
      return Promise.reject(
        new Error(`The MCP server "${name}" does not run: ${entry.failure} It is tried again in ${again} seconds.`),
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
    entry: Entry,
    place: ExtensionPlace,
    signal: AbortSignal,
    work: (connection: ServerConnection) => Promise<T>,
  ): Promise<T> => {
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
      throw error
    } finally {
      entry.waiting -= 1
      if (entry.running !== null) rest(entry)
    }
  }
  const known = async (entry: Entry): Promise<KnownServer | null> => {
    if (entry.known === undefined) {
      const kept = await cache.read(entry.digest)
      // The server may have answered meanwhile.
      entry.known ??= kept
    }
    return entry.known ?? null
  }
  const runningServers = async (place: ExtensionPlace) => {
    const servers = serversIn(place).filter(({ config }) => config.enabled !== false)
    const areOn = await Promise.all(servers.map((server) => mayRun(place, server)))
    return servers.filter((_, at) => areOn[at])
  }
  return {
    kind: "mcp",
    async tools({ signal, turn }, place) {
      const person = personOf(turn)
      const servers = await runningServers(place)
      const found = await Promise.all(
        servers.map(async (server) => {
          const entry = entryOf(place, server, personFor(place, server, person))
          if (server.config.required === true) await orAborted(ensure(entry, place), signal)
          const last = await known(entry)
          // What goes wrong is kept in its log.
          if (last === null) void ensure(entry, place).catch(() => {})
          return { entry, server, tools: (last?.tools ?? []).filter(({ name }) => isWanted(server, name)) }
        }),
      )
      const nameOf = createToolNames()
      const tools = found.flatMap(({ entry, server, tools }) =>
        tools.map((tool): Tool => {
          const named = nameOf(server.name, tool.name)
          const run = (args: Record<string, unknown>, options: CallOptions) =>
            counted(deps, { place, server }, () =>
              use(entry, place, options.signal, (connection) => connection.call(tool, args, options)),
            )
          const about = entry.known?.instructions ?? null
          return createTool({ server, about, digest: entry.digest, call: run }, tool, named)
        }),
      )
      const keeping = found.flatMap(({ entry, server: { name } }) =>
        entry.known?.hasResources ? [{ entry, name }] : [],
      )
      if (keeping.length === 0) return tools
      const resourceServers = keeping.map(
        ({ entry, name }): ResourceServer => ({
          name,
          list: (asked) => use(entry, place, asked, (connection) => connection.resources(asked)),
          read: (uri, asked) => use(entry, place, asked, (connection) => connection.resource(uri, asked)),
        }),
      )
      return [...tools, createResourceTool(resourceServers)]
    },
    async commands(place) {
      const found = await Promise.all(
        (await runningServers(place)).map(async (server) => {
          const entry = entryOf(place, server, personFor(place, server, null))
          return ((await known(entry))?.prompts ?? []).map((prompt) =>
            createCommand(server, prompt, (values) => {
              const late = AbortSignal.timeout(promptMs)
              return use(entry, place, late, (connection) => connection.prompt(prompt.name, values, late))
            }),
          )
        }),
      )
      return found.flat()
    },
    plug: (placeOf) => ({
      async userMessage(message, { project, signal, turn }) {
        const typed = message.parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
        const mentioned = typed.flatMap(mentionedResources)
        if (mentioned.length === 0) return message
        const place = await placeOf(project)
        const servers = await runningServers(place)
        const read = mentioned.map(async ({ server: name, uri }) => {
          const server = servers.find((one) => one.name === name)
          // An address of something else is only a text.
          if (server === undefined) return []
          const text = await readMentioned(deps, { name, uri, signal }, (asked) =>
            use(entryOf(place, server, personFor(place, server, personOf(turn))), place, asked, (connection) =>
              connection.resource(uri, asked),
            ),
          )
          return [
            { ...{ id: deps.createID("part"), sessionID: message.info.sessionID }, messageID: message.info.id, text },
          ]
        })
        const parts = (await Promise.all(read)).flat()
        const added = parts.map((part) => ({ ...part, type: "text" as const, synthetic: true }))
        return { ...message, parts: [...message.parts, ...added] }
      },
    }),
    async list(place, person) {
      const waiting = place.provided.filter(({ kind, trusted }) => kind === "mcp-server" && !trusted)
      const items = serversIn(place).map(async (server) => {
        const entry = entries.get(keyOf(place, server, personFor(place, server, person)))
        const isOn = server.config.enabled !== false && (await mayRun(place, server))
        // Nobody has decided.
        const waits = !isOn && server.needsConsent === true && (await place.ledger.isOn(refOf(place, server)))
        const kept = await cache.read(digestOf(server))
        // It may have answered meanwhile.
        const tools = (entry?.known ?? kept)?.tools ?? []
        return itemOf(server, { place, entry, isOn, waits, tools })
      })
      return [...(await Promise.all(items)), ...waiting.map((file) => waitingItem(place, file))]
    },
    async start(place, name, person) {
      const server = (await runningServers(place)).find((one) => one.name === name)
      if (server === undefined) return
      const entry = entryOf(place, server, personFor(place, server, person))
      forgive(entry)
      // What goes wrong is told by the list.
      await ensure(entry, place).catch(() => {})
    },
    async restart(place, name) {
      const own = [...entries.values()].filter(({ server, worktree }) => {
        return server.name === name && worktree === place.project.worktree
      })
      for (const entry of own) forgive(entry)
      await Promise.all(own.map(stop))
    },
    signIn: {
      async begin({ place, forAll, ...of }, method) {
        const who = signingIn(place, of)
        // Else a member could let all others work in an account of theirs.
        if (place.isShared && who.person === null && !forAll)
          throw new Error(`All work with one sign-in to "${of.name}": who manages the settings signs in.`)
        const entry = entryOf(place, who.server, who.person)
        const onDone = (error: Error | null) => {
          if (error === null) void connectAgain(entry, place)
          else {
            entry.failure = `The sign-in failed: ${error.message}`
            entry.log.add(`[Docket] ${entry.failure}`)
          }
        }
        const begun = await (await signIns()).begin(who, { method, onDone })
        if (begun === null) await connectAgain(entry, place)
        return begun
      },
      async finish({ place, ...of }, redirected) {
        const who = signingIn(place, of)
        await (await signIns()).finish(who, redirected)
        await connectAgain(entryOf(place, who.server, who.person), place)
      },
      async signOut({ place, forAll, ...of }) {
        const who = signingIn(place, of)
        if (place.isShared && who.person === null && !forAll)
          throw new Error(`All work with one sign-in to "${of.name}": who manages the settings signs out.`)
        await (await signIns()).forget(place, who.server, who.person)
        await stop(entryOf(place, who.server, who.person))
      },
    },
    async close() {
      isClosed = true
      await Promise.all([...entries.values()].map(stop))
      await loaded?.then((made) => made.close())
    },
  }

  /** With the new rights, in place of the old connection: what runs in it is made again by who asked for it. */
  async function connectAgain(entry: Entry, place: ExtensionPlace) {
    await stop(entry)
    forgive(entry)
    // What goes wrong is kept in its log.
    await ensure(entry, place).catch(() => {})
  }

  function signingIn(place: ExtensionPlace, { name, person }: { name: string; person: string }) {
    const server = serversIn(place).find((one) => one.name === name)
    const remote = server && remoteOf(server)
    if (!remote)
      throw new Error(`The MCP server "${name}" runs on this machine or does not count: nobody signs in to it.`)
    if (remote.config.oauth === false) throw new Error(`The configuration of "${name}" turns signing in off (oauth).`)
    return { place, server: remote, person: personFor(place, remote, person) }
  }
}

/** Who caused a turn; null where nobody did, or a list is only looked at. */
function personOf(turn: Turn | undefined): string | null {
  return (turn?.by ?? turn?.cause)?.person ?? null
}

/** What it failed of counts no more. */
function forgive(entry: Entry): void {
  entry.failures = 0
  entry.failure = null
  entry.retryAt = 0
  entry.needsSignIn = false
}

function remoteOf(server: McpServer): SignInServer | null {
  return server.config.type === "remote" ? { ...server, config: server.config } : null
}

/** Whose sign-in counts. In a team each person has their own, unless the configuration lets all share one. */
function personFor({ isShared }: ExtensionPlace, { config }: McpServer, person: string | null): string | null {
  const isOwn = config.type === "remote" && config.oauth !== false && config.oauth?.shared !== true
  return isShared && isOwn ? person : null
}

function serversIn({ sources, provided, otherServers, isShared, env }: ExtensionPlace): McpServer[] {
  return mcpServersOf({ sources, provided, otherServers }, isShared ? null : env)
}

/** Whether people let it run: one of another program is off until somebody switches it on. */
function mayRun(place: ExtensionPlace, server: McpServer): Promise<boolean> {
  return place.ledger.isOn(refOf(place, server), { unset: server.needsConsent ? "off" : "on" })
}

function refOf({ project }: ExtensionPlace, { name, scope }: Pick<McpServer, "name" | "scope">): ExtensionRef {
  return { kind: "mcp", name, projectID: scope === "user" ? null : project.id }
}

/** Does a call and counts it. */
async function counted<T>(
  { now }: Pick<McpServersDeps, "now">,
  { place, server }: { place: ExtensionPlace; server: McpServer },
  work: () => Promise<T>,
): Promise<T> {
  const from = now()
  const note = (failure: string | null) => place.ledger.note(refOf(place, server), { ms: now() - from, failure })
  try {
    const result = await work()
    note(null)
    return result
  } catch (error) {
    note(error instanceof Error ? error.message : String(error))
    throw error
  }
}

function itemOf(
  server: McpServer,
  {
    place,
    entry,
    isOn,
    waits,
    tools,
  }: { place: ExtensionPlace; entry: Entry | undefined; isOn: boolean; waits: boolean; tools: ServerTool[] },
): ExtensionItem {
  const nameOf = createToolNames()
  return {
    ref: refOf(place, server),
    title: server.name,
    origin: { file: server.file, line: server.line },
    state: isOn ? stateOf(entry) : waits ? "waits" : "off",
    may: rightsOf(server),
    tools: tools
      .filter(({ name }) => isWanted(server, name))
      .map(({ name, description }) => ({ id: nameOf(server.name, name).id, description })),
    error: entry?.failure ?? null,
    log: entry?.log.lines() ?? [],
  }
}

function stateOf(entry: Entry | undefined): ExtensionItem["state"] {
  if (entry === undefined) return "idle"
  if (entry.needsSignIn) return "needs-login"
  if (entry.isReady) return "ready"
  if (entry.running !== null) return "starting"
  return entry.failure === null ? "idle" : "failed"
}

function rightsOf({ config, scope }: McpServer): string[] {
  if (config.type === "remote") return [`It is asked at ${new URL(config.url).host} and gets what agents send it.`]
  if (scope === "user")
    return ["It runs with your rights, outside the sandbox.", `It runs ${config.command.join(" ")}.`]
  return mcpNotes(config)
}

function waitingItem({ project }: ExtensionPlace, { name, file, notes = [] }: JudgedFile): ExtensionItem {
  return {
    ref: { kind: "mcp", name, projectID: project.id },
    title: name,
    origin: { file, line: null },
    state: "waits",
    may: [...notes],
    tools: [],
    error: null,
    log: [],
  }
}

/** Whether a remote server does not know the session any more (status 404 by the protocol): it wants a new one. */
function hasLostSession(error: unknown): boolean {
  const { cause } = Object(error)
  return [error, cause].some((one) => one instanceof Error && "status" in one && one.status === 404)
}

function isWanted({ config }: McpServer, tool: string): boolean {
  const { enabled_tools: enabled, disabled_tools: disabled = [] } = config
  const isIn = (patterns: readonly string[]) => patterns.some((pattern) => matchWildcard(pattern, tool))
  return (enabled === undefined || isIn(enabled)) && !isIn(disabled)
}

function keyOf({ project }: ExtensionPlace, server: McpServer, person: string | null): string {
  return `${project.worktree}\0${digestOf(server)}\0${person ?? ""}`
}

/** Of what decides what a server is and may do (SHA-256, hex); which of its tools are wanted is left out. */
function digestOf({ name, scope, config }: McpServer): string {
  const { enabled_tools: _e, disabled_tools: _d, permission: _p, required: _r, ...rest } = config
  return createHash("sha256")
    .update(JSON.stringify([name, scope, rest]))
    .digest("hex")
}
