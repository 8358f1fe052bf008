import type { ExtensionPlace } from "@docket/core/extension-host"
import { createPace } from "@docket/core/pace"
import { endWords, lastWritten, withLast } from "@docket/core/program-log"
import type { McpLocal, McpRemote, McpServer } from "@docket/core/schema"
import type { ServerAuth } from "./oauth/server-auth.ts"
import type { PlacedServer } from "./placed-server.ts"
import { createProgramTransport } from "./program-transport.ts"
import { createRemoteTransport, mayBeOlder, type RemoteKind } from "./remote-transport.ts"
import { type ConnectionDeps, type ConnectOptions, connectServer, type ServerConnection } from "./server-connection.ts"
import { isFree, serverLaunch } from "./server-launch.ts"
import { wordsOf } from "./words-of.ts"

type Connect = Omit<ConnectOptions, "isOld" | "isRemote" | "howItEnded">
interface OpenOptions extends Omit<Connect, "name" | "worktree" | "logLevel"> {
  place: ExtensionPlace
  /** The sign-in to a remote server; null where none is wanted. */
  auth: ServerAuth | null
}

/** Messages of one server in a second. What it sends beyond waits, so that others have their turn. */
const mostMessages = 200

/** Starts a server and speaks with it. @throws Error with what it wrote last */
export async function openServer(
  deps: ConnectionDeps,
  server: PlacedServer,
  { place, auth, ...options }: OpenOptions,
): Promise<ServerConnection> {
  const { name, config } = server
  const connect = { ...options, name, worktree: place.project.worktree, logLevel: config.log_level }
  return config.type === "local"
    ? await openProgram(deps, { ...server, config }, { place, connect })
    : await openRemote(deps, { ...server, config }, { place, connect, auth })
}

async function openProgram(
  deps: ConnectionDeps,
  server: PlacedServer & { config: McpLocal },
  { place, connect }: { place: ExtensionPlace; connect: Connect },
): Promise<ServerConnection> {
  const { log, signal } = connect
  const open = async (isOld: boolean) => {
    const program = await place.start(await serverLaunch(server, place))
    void program.ended.then((end) => log.add(`[Docket] Its process ${endWords(end)}.`))
    program.stderr.on("data", (data: Buffer) => log.write(data.toString("utf8")))
    const stop = () => void program.end()
    signal.addEventListener("abort", stop, { once: true })
    // It may have been stopped before its program was there.
    if (signal.aborted) stop()
    const transport = createProgramTransport(program, {
      onNoise: log.add,
      after: deps.timers.after,
      pace: createPace(deps.timers, mostMessages),
    })
    const howItEnded = async () => ({
      how: transport.hasEnded ? endWords(await program.ended) : "ended",
      last: lastWritten(log),
    })
    try {
      return await connectServer(deps, transport, { ...connect, isOld, isRemote: false, howItEnded })
    } catch (error) {
      await program.end()
      // Some older servers end at a question that they do not know.
      if (!isOld && transport.hasEnded && !signal.aborted) return null
      const { how, last } = await howItEnded()
      const message = withLast(transport.hasEnded ? `It ${how} before it was ready.` : wordsOf(error), last)
      throw new Error([message, ...wayOut(message, { server, place })].join("\n"), { cause: error })
    } finally {
      signal.removeEventListener("abort", stop)
    }
  }
  const connection = (await open(false)) ?? (await open(true))
  if (connection === null) throw new Error("It ended at once.")
  return connection
}

async function openRemote(
  deps: ConnectionDeps,
  server: McpServer & { config: McpRemote },
  { place, connect, auth }: { place: ExtensionPlace; connect: Connect; auth: ServerAuth | null },
): Promise<ServerConnection> {
  const { transport } = server.config
  const explained = async (error: unknown) => {
    throw auth === null ? error : await auth.explain(error)
  }
  const open = async (kind: RemoteKind): Promise<ServerConnection> => {
    const remote = createRemoteTransport(server, {
      kind,
      isShared: place.isShared,
      auth,
      timers: deps.timers,
      trace: deps.trace,
      pace: createPace(deps.timers, mostMessages),
    })
    const howItEnded = async () => ({ how: "ended", last: [] })
    const options = { ...connect, isOld: kind === "sse", isRemote: true, howItEnded }
    const connection = await connectServer(deps, remote, options).catch(explained)
    return {
      ...connection,
      call: (...asked) => connection.call(...asked).catch(explained),
      prompt: (...asked) => connection.prompt(...asked).catch(explained),
      resources: (...asked) => connection.resources(...asked).catch(explained),
      resourcesLately: (...asked) => connection.resourcesLately(...asked).catch(explained),
      watch: (...asked) => connection.watch(...asked).catch(explained),
      values: (...asked) => connection.values(...asked).catch(explained),
      resource: (...asked) => connection.resource(...asked).catch(explained),
    }
  }
  if (transport !== undefined) return await open(transport)
  try {
    return await open("http")
  } catch (error) {
    if (!mayBeOlder(error)) throw error
    connect.log.add("[Docket] It does not speak Streamable HTTP; the older way with server-sent events is tried.")
    return await open("sse").catch(() => Promise.reject(error))
  }
}

/** What a program writes that may not do or see something. */
const lacksRight = /EROFS|EACCES|EPERM|ENOENT|read-only file system|permission denied|no such file|cannot find/i
const ownWay = `In the sandbox it reads what its command names and changes what "writable" names; "sandbox": false lets it run with your rights.`

const closedWay = `Files for which "read" is asked or denied, such as .env, are closed to it. A rule of your own opens one: "permission": { "read": { ".env": "allow" } } in your docket.json.`

/** What helps a server that failed because the sandbox keeps something from it. */
function wayOut(message: string, { server, place }: { server: PlacedServer; place: ExtensionPlace }): string[] {
  if (isFree(server, place)) return []
  if (server.scope === "user") return lacksRight.test(message) ? [ownWay] : []
  return /EACCES|permission denied/i.test(message) ? [closedWay] : []
}
