import { once } from "node:events"
import type { ServerResponse } from "node:http"

/** A reader takes more than two missing pings for a lost connection; proxies close a silent one after 30 to 60 s. */
export const pingMs = 5_000
/** No stream lives longer, so that none goes on long after its login has ended. Its reader resumes by its cursor. */
export const longestStreamMs = 15 * 60_000
/** How long a browser waits before it connects again. */
const retryMs = 1_000

export interface EventStream {
  /** Resolves when the connection can take more. */
  send(data: unknown, options?: EventOptions): Promise<void>
  /** Sends data that already is JSON, in one line. */
  sendText(json: string, options?: EventOptions): Promise<void>
  /** Sends events that already have their wire form. */
  sendBytes(bytes: Uint8Array | string): Promise<void>
}

interface EventOptions {
  id?: string
  event?: string
}

/** The wire form of an event with one line of JSON. */
export function eventText(json: string, { id, event }: EventOptions = {}): string {
  return `${event ? `event: ${event}\n` : ""}${id ? `id: ${id}\n` : ""}data: ${json}\n\n`
}

/** What is sent between events, so that nobody takes a quiet connection for a lost one. */
export interface Heartbeat {
  everyMs: number
  text(): string
}

const ping: Heartbeat = { everyMs: pingMs, text: () => "event: ping\ndata:\n\n" }

/** Answers with server-sent events until `run` ends or the reader leaves, which aborts `signal`. HEAD gets no body. */
export async function serveEvents(
  res: ServerResponse,
  run: (stream: EventStream, signal: AbortSignal) => Promise<void>,
  heartbeat: Heartbeat = ping,
): Promise<void> {
  const closed = new AbortController()
  res.once("close", () => closed.abort())
  res.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" })
  if (res.req.method === "HEAD") return void res.end()
  res.write(`retry: ${retryMs}\n\n`)
  const beats = setInterval(() => res.write(heartbeat.text()), heartbeat.everyMs)
  const stream: EventStream = {
    send: (data, options) => stream.sendText(JSON.stringify(data), options),
    sendText: (json, options) => stream.sendBytes(eventText(json, options)),
    async sendBytes(bytes) {
      if (closed.signal.aborted) return
      const hasRoom = res.write(bytes)
      if (!hasRoom) await once(res, "drain", { signal: closed.signal }).catch(() => undefined)
    },
  }
  try {
    await run(stream, closed.signal)
  } finally {
    clearInterval(beats)
    res.end()
  }
}
