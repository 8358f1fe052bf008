import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { nodeTimers, type Timers } from "@docket/core/timers"

/** How often a body that is not whole is looked at (ms). */
export const lookEveryMs = 60_000
/** What it has to bring meanwhile (bytes): about 1 kB/s, which the worst line brings and a tap that is left to drip does not. */
export const leastBytes = 65_536
/** For all of a request, however fast it comes (ms): the largest import, 64 MiB, on a line of 20 kB/s. */
const wholeRequestMs = 3_600_000

const refusal = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

/**
 * How long a connection may rest (ms): longer than callers and proxies keep theirs, so that it is not closed here while a
 * request is on its way.
 */
const keepAliveMs = 75_000

/**
 * Ends requests whose bodies drip, with 408 where nothing was answered yet. Node's own limit is one for the whole of a
 * request, which a slow line that uploads a large file would meet as well; headers have Node's limit of 60 s.
 */
export function limitRequests(server: Server, timers: Timers = nodeTimers): void {
  server.keepAliveTimeout = keepAliveMs
  server.requestTimeout = wholeRequestMs
  server.on("request", (req, res) => {
    if (hasBody(req)) watchBody(req, res, timers)
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0
}

function watchBody(req: IncomingMessage, res: ServerResponse, timers: Timers): void {
  const { socket } = req
  let seen = socket.bytesRead
  const stop = timers.every(lookEveryMs, () => {
    const { bytesRead } = socket
    if (bytesRead - seen >= leastBytes) {
      seen = bytesRead
      return
    }
    stop()
    if (res.headersSent) socket.destroy()
    else socket.end(refusal, () => socket.destroy())
  })
  // Not at the end of the answer: one may come before the body is whole, which would go on dripping.
  req.once("end", stop).once("close", stop)
}
