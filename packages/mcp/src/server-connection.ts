import { pathToFileURL } from "node:url"
import type { Timers } from "@docket/core/timers"
import {
  type CallToolResult,
  Client,
  type Progress,
  SdkError,
  SdkErrorCode,
  type Transport,
} from "@modelcontextprotocol/client"
import { listPages } from "./list-pages.ts"
import { createListRefresh } from "./refresh-list.ts"
import type { ServerLog } from "./server-log.ts"
import { readServerTool, type ServerTool } from "./server-tool.ts"

/** ms that a call may take however much progress it makes. */
const longestCall = 60 * 60_000
/** ms in which a server says whether it knows the newer protocol; the older ones do not answer. */
const probeMs = 5_000

export interface ConnectionDeps {
  timers: Timers
  /** Monotonic ms. */
  now(): number
}

export interface ConnectOptions {
  /** As the configuration names it. */
  name: string
  /** Absolute. */
  worktree: string
  startMs: number
  log: ServerLog
  /** Only the older handshake, for servers that end at a request before it. */
  isOld: boolean
  /** The server says that its tools are others now. */
  onTools(tools: readonly ServerTool[]): void
  signal: AbortSignal
}

export interface CallOptions {
  signal: AbortSignal
  /** ms of silence. */
  timeoutMs: number
  onProgress(progress: Pick<Progress, "progress" | "total" | "message">): void
}

/** A server that is connected. */
export interface ServerConnection {
  tools: readonly ServerTool[]
  /** What the server says of its use. */
  instructions: string | null
  /** @throws Error in words for the model */
  call(tool: ServerTool, args: Record<string, unknown>, options: CallOptions): Promise<CallToolResult>
  /** Resolves when the connection is over. */
  ended: Promise<void>
  close(): Promise<void>
}

/** Speaks with a server: the handshake, its tools, and then calls. @throws Error when it does not answer as it should */
export async function connectServer(
  deps: ConnectionDeps,
  transport: Transport,
  { name, worktree, startMs, log, isOld, onTools, signal }: ConnectOptions,
): Promise<ServerConnection> {
  const ended = Promise.withResolvers<void>()
  const options = { signal, timeout: startMs }
  const readTools = async () => {
    if (client.getServerCapabilities()?.tools === undefined) return []
    const read = (await listPages(client, { method: "tools/list", key: "tools" }, options)).map(readServerTool)
    return unique(read, log)
  }
  const refresh = createListRefresh(deps, async () => {
    try {
      onTools(await readTools())
    } catch (error) {
      log.add(`[Docket] Its tools could not be read again: ${wordsOf(error)}`)
    }
  })
  const client = new Client(
    { name: "docket", title: "Docket", version: "1.0.0" },
    {
      capabilities: { roots: {} },
      versionNegotiation: isOld
        ? { mode: "legacy" }
        : { mode: "auto", probe: { timeoutMs: Math.min(probeMs, startMs) } },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: refresh.changed } },
    },
  )
  client.setRequestHandler("roots/list", async () => ({
    roots: [{ uri: pathToFileURL(worktree).href, name: "project" }],
  }))
  client.onerror = (error) => log.add(`[Docket] ${error.message}`)
  client.onclose = ended.resolve
  const close = async () => {
    refresh.stop()
    await client.close()
    await transport.close()
  }
  try {
    await client.connect(transport, options)
    const tools = await readTools()
    return {
      tools,
      instructions: client.getInstructions() ?? null,
      ended: ended.promise.finally(refresh.stop),
      close,
      call: (tool, args, call) => callTool(client, name, { tool, args, call }),
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function callTool(
  client: Client,
  server: string,
  { tool, args, call }: { tool: ServerTool; args: Record<string, unknown>; call: CallOptions },
): Promise<CallToolResult> {
  const { name, inputSchema, outputSchema } = tool
  try {
    return await client.callTool(
      { name, arguments: args },
      {
        signal: call.signal,
        timeout: call.timeoutMs,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: longestCall,
        onprogress: call.onProgress,
        // As it was listed: the result is checked by what was promised.
        toolDefinition: {
          name,
          inputSchema: { ...inputSchema, type: "object" },
          ...(outputSchema && { outputSchema: { ...outputSchema, type: "object" } }),
        },
      },
    )
  } catch (error) {
    call.signal.throwIfAborted()
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
      throw new Error(
        `The MCP server "${server}" was silent for ${call.timeoutMs / 1_000} seconds, and the call was given up.`,
        { cause: error },
      )
    if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed)
      throw new Error(`The MCP server "${server}" ended before it had answered. The next call starts it again.`, {
        cause: error,
      })
    throw new Error(`The MCP server "${server}" refused the call: ${wordsOf(error)}`, { cause: error })
  }
}

/** Of two tools of one name the first counts. */
function unique(read: readonly ReturnType<typeof readServerTool>[], log: ServerLog): ServerTool[] {
  const byName = new Map<string, ServerTool>()
  for (const tool of read) {
    if ("problem" in tool) log.add(`[Docket] ${tool.problem}`)
    else if (byName.has(tool.name)) log.add(`[Docket] It has two tools "${tool.name}"; the first counts.`)
    else byName.set(tool.name, tool)
  }
  return [...byName.values()]
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
