import type { AppRouter } from "@docket/api/router"
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  splitLink,
  type TRPCClient,
} from "@trpc/client"
import { EventSource as NodeEventSource } from "eventsource"
import { isPageHidden } from "./browser-window.ts"
import { noAnswer, notDocket } from "./client-error.ts"
import { keyHeader, keyRequests } from "./key-requests.ts"
import { tellOlderService } from "./tell-older-service.ts"

export type DocketClient = TRPCClient<AppRouter>

export interface DocketClientOptions {
  /** Address of the service, e.g. `http://127.0.0.1:4180`. In its own web app: `""`. */
  url: string
  /**
   * An API key of a team's Docket (`dkt_…`: Settings, API keys), or the token from the service's token file. A
   * signed-in browser sends its cookie instead.
   */
  token?: string | undefined
  fetch?: typeof globalThis.fetch | undefined
  /** Called when the service answers that the user is not signed in. */
  onSignedOut?: (() => void) | undefined
}

const signedOut = 401

/** Queries are batched into one request up to this URL length. */
const maxURLLength = 8_000
/** The most procedures that the service accepts in one request. */
const mostCalls = 50

/** Plain JSON, as the service's router declares it. */
const transformer = { serialize: (value: unknown) => value, deserialize: (value: unknown) => value }

/** A typed client for a Docket service, for Node 20 or newer and browsers. */
export function createDocketClient(options: DocketClientOptions): DocketClient {
  const base = options.url.replace(/\/$/, "")
  const url = `${base}/api/trpc`
  const { token } = options
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  // tRPC and eventsource have different types for `init`; both pass what `fetch` accepts.
  const fetch = (input: string | URL | Request, init?: object) =>
    (options.fetch ?? globalThis.fetch)(input, init as RequestInit)
  /** `fetch` rejects with a `TypeError` when there is no answer, and with an `AbortError` when the caller aborts. */
  const explain = (cause: unknown): never => {
    throw cause instanceof TypeError ? noAnswer(base, cause) : cause
  }
  const docketResponse = (response: Response) => {
    if (!isJson(response)) throw notDocket(url, response)
    if (response.status === signedOut) options.onSignedOut?.()
    return response
  }
  const call = (input: string | URL | Request, init?: object) => fetch(input, init).then(docketResponse, explain)
  // A browser's own EventSource sends cookies but no headers; Node has no EventSource.
  const usesCookie = token === undefined && options.fetch === undefined && "EventSource" in globalThis
  const subscriptions = usesCookie
    ? httpSubscriptionLink<AppRouter, typeof EventSource>({ url, transformer })
    : httpSubscriptionLink<AppRouter, typeof NodeEventSource>({
        url,
        transformer,
        EventSource: NodeEventSource,
        eventSourceOptions: {
          fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }),
        },
      })
  return createTRPCClient<AppRouter>({
    links: [
      tellOlderService(() => fetch(`${base}/api/health`)),
      keyRequests(),
      splitLink({
        condition: (op) => op.type === "subscription",
        true: subscriptions,
        // A mutation may last as long as a turn, so it must not delay other calls of a batch.
        false: splitLink({
          condition: (op) => op.type === "mutation",
          true: httpLink({
            url,
            headers: ({ op }) => ({ ...headers, ...keyHeader(op) }),
            fetch: (input, init) => call(input, outlivingPage(init)),
            transformer,
          }),
          false: httpBatchLink({ url, headers, fetch: call, transformer, maxURLLength, maxItems: mostCalls }),
        }),
      }),
    ],
  })
}

function isJson({ headers }: Response): boolean {
  return /^application\/json\b/i.test(headers.get("content-type") ?? "")
}

/** The largest body of a `keepalive` request (UTF-16 units); browsers allow 64 KiB for all requests of a page. */
const maxKeepaliveLength = 8_000

/** Sends a mutation with `keepalive` while the page is being unloaded, so that it still arrives. */
function outlivingPage<Init extends { body?: unknown }>(init: Init | undefined): Init | undefined {
  if (init === undefined || !isPageHidden()) return init
  const isShort = typeof init.body === "string" && init.body.length <= maxKeepaliveLength
  return isShort ? { ...init, keepalive: true } : init
}
