import type { IncomingMessage, ServerResponse } from "node:http"

/** The HTTP side of accounts. Requests come here after the checks that all requests pass. */
export interface AccountFace {
  /** Whether a page is open without a login. */
  isOpenPage(path: string): boolean
  /** Answers a request about accounts; false when it is about something else. */
  serve(req: IncomingMessage, res: ServerResponse, path: string): Promise<boolean>
  /** Ends a connection that may stay open, when its sender is signed out or removed. */
  watch(req: IncomingMessage, res: ServerResponse): void
}
