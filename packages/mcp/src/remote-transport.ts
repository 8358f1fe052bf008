import { createCheckedFetch } from "@docket/core/checked-fetch"
import type { Pace } from "@docket/core/pace"
import type { McpRemote, McpServer } from "@docket/core/schema"
import type { Timers } from "@docket/core/timers"
import type { Trace } from "@docket/core/trace"
import {
  type AuthProvider,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client"
import { failUnanswered } from "./fail-unanswered.ts"

/** How often a stream of messages is opened again, with 1 to 30 s between. */
const reconnection = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 50,
}
/** ms; the shortest pause that a server may name. Less than that of Docket's own: the protocol wants named ones kept. */
const leastReconnectionDelay = 250

export type RemoteKind = "http" | "sse"

/**
 * How a remote server is spoken to. What the configuration names may lie on this machine or its networks; where several
 * people share the service, a project names only what is public.
 */
export function createRemoteTransport(
  { config, scope }: McpServer & { config: McpRemote },
  {
    kind,
    isShared,
    auth,
    pace,
    timers,
    trace,
  }: { kind: RemoteKind; isShared: boolean; auth: AuthProvider | null; pace: Pace; timers: Timers; trace: Trace },
): Transport {
  const url = new URL(config.url)
  const checked = createCheckedFetch({
    pace,
    mayReachLocally: (target) => target.host === url.host && (scope === "user" || !isShared),
  })
  const options = {
    fetch: (address: string | URL, init?: RequestInit) => checked.fetch(address, withHeaders(init, trace.headers())),
    requestInit: { headers: config.headers ?? {} },
    ...(auth && { authProvider: auth }),
  }
  const transport: Transport =
    kind === "sse"
      ? new SSEClientTransport(url, options)
      : new StreamableHTTPClientTransport(url, {
          ...options,
          reconnectionOptions: reconnection,
          // A server may name the time itself, and would be asked without a pause.
          reconnectionScheduler: (again, ms) => timers.after(withinBounds(ms), again),
        })
  if (kind === "http") failUnanswered(transport)
  const close = transport.close.bind(transport)
  transport.close = async () => {
    await close()
    await checked.close()
  }
  return transport
}

function withHeaders(init: RequestInit | undefined, added: Readonly<Record<string, string>>): RequestInit | undefined {
  if (Object.keys(added).length === 0) return init
  const headers = new Headers(init?.headers)
  for (const [name, value] of Object.entries(added)) headers.set(name, value)
  return { ...init, headers }
}

function withinBounds(ms: number): number {
  return Math.min(Math.max(ms, leastReconnectionDelay), reconnection.maxReconnectionDelay)
}

/** Whether a server that refused one way of speaking may understand the older one. */
export function mayBeOlder(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status >= 400 && error.status < 500 && error.status !== 401
}
