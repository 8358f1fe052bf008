import type { IncomingMessage } from "node:http"

/** Scheme, host and port that the caller used, e.g. `http://127.0.0.1:4180`. */
export function originOf(req: IncomingMessage): string {
  return `http://${req.headers.host}`
}
