import type { IncomingMessage, ServerResponse } from "node:http"

/** What accounts add to the HTTP face of a service. Every request has passed the checks of all by then. */
export interface AccountFace {
  /** Pages for who is not signed in yet. */
  isOpenPage(path: string): boolean
  /** Answers a request for accounts; false when it is for somebody else. */
  serve(req: IncomingMessage, res: ServerResponse, path: string): Promise<boolean>
  /** Ends the connection once who asked is signed out or removed; for what may stay open. */
  watch(req: IncomingMessage, res: ServerResponse): void
}
