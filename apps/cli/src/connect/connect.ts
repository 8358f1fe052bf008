import { createDocketClient, type DocketClient } from "@docket/client"
import { docketCommand } from "@docket/core/program"
import { env } from "../env.ts"
import { readServerUrl } from "../remote/server-url.ts"
import { type StoredSignIn, storedSignIns } from "../remote/stored-sign-ins.ts"
import { UsageError } from "../usage-error.ts"
import type { Connection } from "./connection.ts"
import { findLiveServer } from "./live-server.ts"
import { readToken } from "./read-token.ts"
import { spawnServer } from "./spawn-server.ts"

export interface ConnectOptions {
  /** Address of a service; its token is in `tokenFile`. */
  url: string | undefined
  tokenFile: string | undefined
  /** A team's server that this machine is signed in to. */
  server: string | undefined
  /** Absolute data directory. Its running service and its stored sign-ins are used. */
  data: string
  /** Whether the user passed `--data`. The command is then about the service on this machine. */
  isDataNamed: boolean
  /** Absolute directory of a project: if no service runs, one is started for it. Null: fail instead. */
  project: string | null
}

export interface Connected {
  client: DocketClient
  url: string
  token: string
  /** Whether the service runs on another machine. Its projects are there too. */
  isRemote: boolean
  close(): Promise<void>
  /** See `Connection.ended`. */
  ended: AbortSignal
}

/** Finds the service to talk to, or starts one. @throws UsageError */
export async function connect(options: ConnectOptions): Promise<Connected> {
  const remote = await findRemote(options)
  if (remote !== null) {
    const { url, token } = remote
    const client = createDocketClient({ url, token })
    return { client, url, token, isRemote: true, close: async () => {}, ended: new AbortController().signal }
  }
  const connection = await findConnection(options)
  const token = await readToken(connection.tokenFile)
  const client = createDocketClient({ url: connection.url, token })
  return { client, url: connection.url, token, isRemote: false, close: connection.close, ended: connection.ended }
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
    const found = await signIns.find(named)
    if (found) return found
    throw new UsageError(`you are not signed in to ${named} from here: docket login --server ${named}`)
  }
  return url === undefined && !isDataNamed ? await signIns.last() : null
}

async function findConnection({ url, tokenFile, data, project }: ConnectOptions): Promise<Connection> {
  if (url !== undefined) {
    if (tokenFile === undefined) throw new UsageError("--url also needs --token-file, the file that holds its token")
    return { url: url.replace(/\/$/, ""), tokenFile, close: async () => {}, ended: new AbortController().signal }
  }
  const live = await findLiveServer(data)
  if (live) return live
  if (project === null) {
    const start = docketCommand({ command: "serve", data, path: env.PATH })
    throw new UsageError(
      `no Docket runs on ${data}. Start one: ${start}\nor name another with --data or --url. A server elsewhere: docket login --server URL`,
    )
  }
  return await spawnServer(data, project)
}
