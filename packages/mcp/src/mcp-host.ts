import type { ExtensionHost, ExtensionPlace, TurnContext } from "@docket/core/extension-host"
import type { FoundPackages } from "@docket/core/installed-packages"
import { orAborted } from "@docket/core/or-aborted"
import type { ProgramRoom } from "@docket/core/program-room"
import { evaluateStrictest } from "@docket/core/rule"
import { type McpServer, mcpPrefix, type Turn } from "@docket/core/schema"
import type { Timers } from "@docket/core/timers"
import type { Tool } from "@docket/core/tool"
import { noTrace, type Trace } from "@docket/core/trace"
import { type CompletingServer, completePrompt } from "./complete-prompt.ts"
import { isPersonal, isWanted, personFor, refOf, remoteOf, runningServers } from "./configured-servers.ts"
import { createCommand } from "./create-command.ts"
import { createTool } from "./create-tool.ts"
import { listServers } from "./list-servers.ts"
import { mentionedResources } from "./mentioned-resources.ts"
import { createSignInToServers } from "./oauth/sign-in-to-servers.ts"
import type { SignIns } from "./oauth/sign-ins.ts"
import type { PlacedServer } from "./placed-server.ts"
import { readMentioned } from "./read-mentioned.ts"
import { createResourceTool, type ResourceServer } from "./resource-tool.ts"
import type { CallOptions } from "./server-connection.ts"
import { createServerPool, type PooledServer } from "./server-pool.ts"
import { serversIn } from "./servers-in.ts"
import { SwitchedOff } from "./switched-off.ts"
import { createToolCache, type KnownServer } from "./tool-cache.ts"
import { createToolNames } from "./tool-names.ts"
import { changedText, createWatchedResources } from "./watched-resources.ts"
import { wordsOf } from "./words-of.ts"

export interface McpServersDeps {
  timers: Timers
  /** Monotonic ms. */
  now(): number
  createID(kind: "message" | "part"): string
  /** Epoch ms. */
  clock(): number
  /** Where the lists of tools are kept (absolute). */
  cacheDirectory: string
  /** Shared by all workspaces of a service. */
  room: ProgramRoom
  /** The packages that somebody agreed to. */
  packages: FoundPackages
  /** Is told of calls; without it, nobody is. */
  trace?: Trace | undefined
}

/** ms that a prompt waits for a command's text, or for a resource that it names. */
const promptMs = 30_000

/** All that the host of MCP servers does. */
export type McpHost = Required<Omit<ExtensionHost, "agents" | "atHome">>

/** Runs MCP servers, one for each worktree and configuration, and gives their tools. */
export function createMcpHost(deps: McpServersDeps): McpHost {
  let loaded: Promise<SignIns> | null = null
  // Loaded at first use: few servers need a sign-in.
  const signIns = () => (loaded ??= import("./oauth/sign-ins.ts").then(({ createSignIns }) => createSignIns(deps)))
  const cache = createToolCache(deps.cacheDirectory)
  const pool = createServerPool({
    ...{ timers: deps.timers, now: deps.now, room: deps.room, cache, trace: deps.trace ?? noTrace },
    async authOf(place, server, person) {
      const remote = remoteOf(server)
      // Work that no person caused has no sign-in of a person.
      if (remote === null || (isPersonal(place, server) && person === null)) return null
      return (await signIns()).authOf(place, remote, person)
    },
  })
  const { use } = pool
  const running = (place: ExtensionPlace) => runningServers(deps.packages, place)
  const watched = createWatchedResources()
  /** What was known of the servers when a turn got their tools. */
  const told = new WeakMap<TurnContext, Map<PooledServer, KnownServer | null>>()
  const entryFor = (place: ExtensionPlace, server: PlacedServer, person: string | null) =>
    pool.of(place, server, personFor(place, server, person))
  return {
    kind: "mcp",
    hasOtherTools: (context) =>
      [...(told.get(context) ?? [])].some(([entry, known]) => (entry.known ?? null) !== known),
    async tools(context, place) {
      const { signal, turn, session } = context
      const person = personOf(turn)
      const servers = await running(place)
      const found = await Promise.all(
        servers.map(async (server) => {
          const entry = entryFor(place, server, person)
          if (server.config.required === true) await orAborted(pool.ensure(entry, place), signal)
          const last = await pool.known(entry)
          // What goes wrong is kept in its log.
          if (last === null) void pool.ensure(entry, place).catch(() => {})
          return { entry, server, last, tools: (last?.tools ?? []).filter(({ name }) => isWanted(server, name)) }
        }),
      )
      told.set(context, new Map(found.map(({ entry, last }) => [entry, last])))
      const nameOf = createToolNames()
      const tools = found.flatMap(({ entry, server, tools }) =>
        tools.map((tool): Tool => {
          const named = nameOf(server.name, tool.name)
          const run = (args: Record<string, unknown>, options: CallOptions) =>
            counted(deps, { place, server, shown: entry.log.shown }, () =>
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
          ...{ name, digest: entry.digest },
          list: (asked) => use(entry, place, asked, (connection) => connection.resources(asked)),
          async read(uri, asked) {
            const result = await use(entry, place, asked, (connection) => connection.resource(uri, asked))
            watched.read(session.id, entry, uri)
            return result
          },
        }),
      )
      return [...tools, createResourceTool(resourceServers)]
    },
    async arrivalOf(context, place, id) {
      const person = personOf(context.turn)
      for (const server of await running(place)) {
        const entry = entryFor(place, server, person)
        // A server whose tools the turn has been told of has no others.
        const isNew = (entry.known ?? null) !== (told.get(context)?.get(entry) ?? null) || entry.known == null
        if (!isNew || !id.startsWith(`${mcpPrefix(server.name)}_`)) continue
        try {
          const { known } = await orAborted(pool.ensure(entry, place), context.signal)
          const nameOf = createToolNames()
          if (known.tools.some(({ name }) => isWanted(server, name) && nameOf(server.name, name).id === id))
            return `The MCP server "${server.name}" was still starting, and nothing was called. It runs now: call ${id} again.`
        } catch (error) {
          return wordsOf(error)
        }
      }
      return null
    },
    async commands(place, person) {
      const found = await Promise.all(
        (await running(place)).map(async (server) => {
          const entry = entryFor(place, server, person)
          return ((await pool.known(entry))?.prompts ?? []).map((prompt) =>
            createCommand(server, prompt, (values) => {
              const late = AbortSignal.timeout(promptMs)
              return use(entry, place, late, (connection) => connection.prompt(prompt.name, values, late))
            }),
          )
        }),
      )
      return found.flat()
    },
    async complete(text, { place, person, signal }) {
      const servers = (await running(place)).map(async (server): Promise<CompletingServer[]> => {
        const entry = entryFor(place, server, person)
        const known = await pool.known(entry)
        if (known === null) return []
        return [
          {
            ...{ server, known },
            resources: (asked) => use(entry, place, asked, (connection) => connection.resourcesLately(asked)),
            values: (asking, asked) => use(entry, place, asked, (connection) => connection.values(asking, asked)),
          },
        ]
      })
      return completePrompt(deps, text, { servers: (await Promise.all(servers)).flat(), signal })
    },
    plug: (placeOf) => ({
      async messages(messages, { session, userMessage }) {
        const changed = watched.changedIn(session.id)
        if (changed.length === 0) return messages
        const messageID = deps.createID("message")
        const place = { id: deps.createID("part"), sessionID: session.id, messageID }
        const part = { ...place, type: "text" as const, text: changedText(changed), synthetic: true }
        return [...messages, { info: { ...userMessage, id: messageID }, parts: [part] }]
      },
      async userMessage(message, { project, signal, turn, rules, ceilings }) {
        // What agents hand to each other reads nothing without the rules.
        if (turn.by === undefined) return message
        const typed = message.parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
        const mentioned = typed.flatMap(mentionedResources)
        if (mentioned.length === 0) return message
        const place = await placeOf(project)
        const servers = await running(place)
        const read = mentioned.map(async ({ server: name, uri }) => {
          const server = servers.find((one) => one.name === name)
          const { action } = evaluateStrictest("read_mcp_resource", `${name}:${uri}`, [rules, ...ceilings])
          // An address of something else is only a text.
          if (server === undefined || action === "deny") return []
          const entry = entryFor(place, server, personOf(turn))
          const text = await readMentioned(deps, { name, uri, signal }, (asked) =>
            use(entry, place, asked, async (connection) => {
              // Asked first: a change after it was read is not missed.
              const isWatched = await pool.watch(entry, connection, uri)
              const result = await connection.resource(uri, asked)
              if (isWatched) watched.watch(message.info.sessionID, entry, uri)
              return result
            }),
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
    list: (place, person) => listServers({ pool, cache, packages: deps.packages }, place, person),
    async start(place, name, person) {
      const server = (await running(place)).find((one) => one.name === name)
      // What goes wrong is told by the list.
      if (server !== undefined) await pool.start(entryFor(place, server, person), place)
    },
    restart: ({ project }, name) => pool.restart(project.worktree, name),
    async forget(place, name, person) {
      const server = serversIn(place).find((one) => one.name === name)
      const remote = server && remoteOf(server)
      if (!remote || remote.config.oauth === false) return
      await (await signIns()).forget(place, remote, personFor(place, remote, person))
    },
    signIn: createSignInToServers(pool, signIns),
    async close() {
      await pool.close()
      await loaded?.then((made) => made.close())
    },
  }
}

/** Who caused a turn; null where nobody did, or a list is only looked at. */
function personOf(turn: Turn | undefined): string | null {
  return (turn?.by ?? turn?.cause)?.person ?? null
}

/** Does a call and counts it. */
async function counted<T>(
  { now }: Pick<McpServersDeps, "now">,
  { place, server, shown }: { place: ExtensionPlace; server: McpServer; shown(text: string): string },
  work: () => Promise<T>,
): Promise<T> {
  const from = now()
  const note = (failure: string | null) => place.ledger.note(refOf(place, server), { ms: now() - from, failure })
  try {
    const result = await work()
    note(null)
    return result
  } catch (error) {
    if (!(error instanceof SwitchedOff)) note(shown(wordsOf(error)))
    throw error
  }
}
