import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { nodeTimers, type Timers } from "@docket/core/timers"

/** How often an incomplete body is checked (ms). */
export const lookEveryMs = 60_000
/**
 * How much of a body must arrive between two checks (bytes): about 1 kB/s, which the slowest line reaches and a
 * slow-request attack does not.
 */
export const leastBytes = 65_536
/** Time limit for a whole request (ms): the largest import, 64 MiB, on a line of 20 kB/s. */
const wholeRequestMs = 3_600_000

const refusal = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

/**
 * How long an idle connection is kept (ms): longer than clients and proxies keep theirs, so that it is not closed while
 * a request is being sent.
 */
const keepAliveMs = 75_000

/**
 * Ends requests whose bodies arrive too slowly, with status 408 if no answer has begun. Node's own limit is for the
 * whole request, and would also end a large upload on a slow line. Headers have Node's limit of 60 s.
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
  // The check ends with the request, not with the answer: the answer may be sent before the body is complete.
  req.once("end", stop).once("close", stop)
}
