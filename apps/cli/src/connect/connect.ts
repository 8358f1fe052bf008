import { createDocketClient, type DocketClient } from "@docket/client"
import { docketCommand } from "@docket/core/program"
import { env } from "../env.ts"
import { UsageError } from "../usage-error.ts"
import type { Connection } from "./connection.ts"
import { findLiveServer } from "./live-server.ts"
import { readToken } from "./read-token.ts"
import { spawnServer } from "./spawn-server.ts"

export interface ConnectOptions {
  /** A service that runs somewhere; its token is in `tokenFile`. */
  url: string | undefined
  tokenFile: string | undefined
  /** Absolute data directory: its running service is used. */
  data: string
  /** Absolute directory of a project: when no service runs, one is started with it. Null: fail instead. */
  project: string | null
}

export interface Connected {
  client: DocketClient
  url: string
  token: string
  close(): Promise<void>
  /** See `Connection.ended`. */
  ended: AbortSignal
}

/** Finds the service to talk to, or starts one. @throws UsageError */
export async function connect(options: ConnectOptions): Promise<Connected> {
  const connection = await findConnection(options)
  const token = await readToken(connection.tokenFile)
  const client = createDocketClient({ url: connection.url, token })
  return { client, url: connection.url, token, close: connection.close, ended: connection.ended }
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
    throw new UsageError(`no Docket runs on ${data}. Start one: ${start}\nor name another with --data or --url`)
  }
  return await spawnServer(data, project)
}
