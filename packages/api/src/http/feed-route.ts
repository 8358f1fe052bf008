import { once } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { FeedItem } from "@docket/core/schema"
import { callTRPCProcedure, getTRPCErrorFromUnknown, TRPCError, type TrackedEnvelope } from "@trpc/server"
import { getHTTPStatusCodeFromError } from "@trpc/server/http"
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc"
import type { ApiContext } from "../context.ts"
import { errorShape } from "../error-shape.ts"
import { appRouter } from "../router.ts"
import { createOutbox } from "./outbox.ts"
import { longestStreamMs, pingMs } from "./sse.ts"

const procedure = "event.subscribe"

/** Whether a tRPC call follows a feed and is answered here. tRPC itself answers batches and malformed calls. */
export function isFeed(
  { method }: IncomingMessage,
  { path, query }: { path: string; query: URLSearchParams },
): boolean {
  return method === "GET" && path === procedure && !query.has("batch") && !query.has("connectionParams")
}

/** Whether tRPC may take a call for a feed, even if its name is percent-encoded or in a batch. */
export function namesFeed(path: string): boolean {
  return path
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .includes(procedure)
}

export interface FeedCall {
  query: URLSearchParams
  createContext(): Promise<ApiContext>
  onError(failure: { error: TRPCError; path: string }): void
}

type Tracked = TrackedEnvelope<FeedItem>

/** Shared by all readers, who are written to in turns. */
const outbox = createOutbox()

/**
 * Streams the feed with exactly the bytes of tRPC's own handler. tRPC makes a text of each event for each reader and
 * writes it in three pieces through three streams, which costs too much with hundreds of readers of one tree.
 */
export async function serveFeed(call: FeedCall, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const closed = new AbortController()
  res.once("close", () => closed.abort())
  res.setHeader("cache-control", "no-cache, no-transform")
  res.writeHead(200, { "content-type": "text/event-stream", "x-accel-buffering": "no" })
  const end = AbortSignal.any([closed.signal, AbortSignal.timeout(longestStreamMs)])
  const reader = outbox.open((bytes) => {
    if (!closed.signal.aborted) res.write(bytes)
  })
  reader.put(frame({ event: "connected", data: "{}" }))
  reader.flush()
  const ping = setInterval(() => reader.put(frame({ event: "ping", data: "" })), pingMs)
  try {
    for await (const item of await follow(call, req, end)) {
      reader.put(textOf(item))
      // What a slow reader cannot take yet stays in the feed, which combines it.
      if (res.writableNeedDrain) await once(res, "drain", { signal: end })
    }
    if (!end.aborted) reader.put(frame({ event: "return", data: "" }))
  } catch (cause) {
    if (!end.aborted) reader.put(frame({ event: "serialized-error", data: JSON.stringify(failureOf(call, cause)) }))
  } finally {
    clearInterval(ping)
    reader.flush()
    res.end()
  }
}

async function follow(call: FeedCall, req: IncomingMessage, signal: AbortSignal): Promise<AsyncIterable<Tracked>> {
  const stream: unknown = await callTRPCProcedure({
    router: appRouter,
    path: procedure,
    type: "subscription",
    ctx: await call.createContext(),
    getRawInput: async () => inputOf(call.query, req),
    signal,
    batchIndex: 0,
  })
  return stream as AsyncIterable<Tracked>
}

/** Reads the input as tRPC does: an `EventSource` sends its last id in a header. */
function inputOf(query: URLSearchParams, { headers }: IncomingMessage): unknown {
  const text = query.get("input")
  const lastEventId = headers["last-event-id"] ?? query.get("lastEventId") ?? query.get("Last-Event-Id")
  try {
    const input: unknown = text === null ? undefined : JSON.parse(text)
    return lastEventId ? { ...Object(input), lastEventId } : input
  } catch (cause) {
    throw new TRPCError({ code: "BAD_REQUEST", cause })
  }
}

/** The text of each item: made once, for all readers with the same cursor. */
const texts = new WeakMap<FeedItem, { id: string; text: string }>()

function textOf([id, item]: Tracked): string {
  const known = texts.get(item)
  if (known?.id === id) return known.text
  const text = frame({ data: JSON.stringify(item), id })
  texts.set(item, { id, text })
  return text
}

function frame({ event, data, id }: { event?: string; data: string; id?: string }): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n${id === undefined ? "" : `id: ${id}\n`}\n\n`
}

function failureOf({ onError }: FeedCall, cause: unknown): unknown {
  const error = getTRPCErrorFromUnknown(cause)
  onError({ error, path: procedure })
  const { code, message } = error
  const data = { code, httpStatus: getHTTPStatusCodeFromError(error), path: procedure }
  return errorShape({ code: TRPC_ERROR_CODES_BY_KEY[code], message, data }, error)
}
