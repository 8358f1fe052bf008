import { AsyncLocalStorage } from "node:async_hooks"
import type { IncomingMessage } from "node:http"
import { viaOf } from "./account-audit.ts"

/** Where the current act comes from. Empty `address`: from this service itself. */
export interface RequestSource {
  address: string
  via: "browser" | "cli"
}

const sources = new AsyncLocalStorage<RequestSource>()

/** Answers a request: audit entries that are written meanwhile get its source. */
export function inRequest<T>(req: IncomingMessage, address: string, answer: () => T): T {
  return sources.run({ address, via: viaOf(req) }, answer)
}

export function requestSource(): RequestSource {
  return sources.getStore() ?? { address: "", via: "browser" }
}
