import { createDocketClient, type DocketClient } from "@docket/client"
import { docketCommand } from "@docket/core/program"
import { env } from "../env.ts"
import { readServerUrl } from "../remote/server-url.ts"
import { type StoredSignIn, storedSignIns } from "../remote/stored-sign-ins.ts"
import { UnreachableError } from "../unreachable-error.ts"
import { UsageError } from "../usage-error.ts"
import { type Connection, lasting, type ServiceLife } from "./connection.ts"
import { findLiveServer } from "./live-server.ts"
import { readToken } from "./read-token.ts"
import { spawnServer } from "./spawn-server.ts"

export interface ConnectOptions {
  /** Address of a service; its token is in `tokenFile`. */
  url: string | undefined
  tokenFile: string | undefined
  /** A team's server that this machine is signed in to, or for which DOCKET_KEY is a key. */
  server: string | undefined
  /** Absolute data directory. Its running service and its stored sign-ins are used. */
  data: string
  /** Whether the user passed `--data`. The command is then about the service on this machine. */
  isDataNamed: boolean
  /** Absolute directory of a project: if no service runs, one is started for it. Null: fail instead. */
  project: string | null
}

export interface Connected extends ServiceLife {
  client: DocketClient
  url: string
  token: string
  /** Whether the service runs on another machine. Its projects are there too. */
  isRemote: boolean
}

/** Finds the service to talk to, or starts one. @throws UsageError */
export async function connect(options: ConnectOptions): Promise<Connected> {
  const remote = await findRemote(options)
  if (remote !== null) {
    const { url, token } = remote
    return { client: createDocketClient({ url, token }), url, token, isRemote: true, ...lasting() }
  }
  const { tokenFile, url, ...life } = await findConnection(options)
  const token = await readToken(tokenFile)
  return { client: createDocketClient({ url, token }), url, token, isRemote: false, ...life }
}

/**
 * The team server that the command is for. Null when the options name another service, or when the user is not signed
 * in.
 */
export async function findRemote({
  url,
  server,
  data,
  isDataNamed,
}: Omit<ConnectOptions, "project" | "tokenFile">): Promise<StoredSignIn | null> {
  const signIns = storedSignIns(data)
  if (server !== undefined) {
    const named = readServerUrl(server)
    if (env.DOCKET_KEY) return { url: named, token: env.DOCKET_KEY, name: "key" }
    const found = await signIns.find(named)
    if (found) return found
    throw new UsageError(
      `you are not signed in to ${named} from here: docket login --server ${named}, or give a key of it in DOCKET_KEY`,
    )
  }
  return url === undefined && !isDataNamed ? await signIns.last() : null
}

async function findConnection({ url, tokenFile, data, project }: ConnectOptions): Promise<Connection> {
  if (url !== undefined) {
    if (tokenFile === undefined) throw new UsageError("--url also needs --token-file, the file that holds its token")
    return { url: url.replace(/\/$/, ""), tokenFile, ...lasting() }
  }
  const live = await findLiveServer(data)
  if (live) return live
  if (project === null) {
    const start = docketCommand({ command: "serve", data, path: env.PATH })
    throw new UnreachableError(
      `no Docket runs on ${data}. Start one: ${start}\nor name another with --data or --url. A server elsewhere: docket login --server URL`,
    )
  }
  return await spawnServer(data, project)
}
