import type { IncomingMessage } from "node:http"
import type { Refusal } from "./refusal.ts"

/** How requests come in: what is believed of them, and what the service is called outside. */
export interface Front {
  /** Why a request that came in this way is not served: by a strange name, or past the way that was chosen. Null to serve it. */
  refuse(req: IncomingMessage): Refusal | null
  /** Scheme, host and port that browsers use, e.g. `https://docket.example.org`. Links are built from it. */
  originOf(req: IncomingMessage): string
  /** Address of the client, not of a proxy in front. */
  addressOf(req: IncomingMessage): string
  /** Whether browsers come by TLS: then cookies go no other way. */
  isSecure: boolean
  /** Whether passwords and cookies cross the network in the clear. */
  isExposed: boolean
}

/** The front of a service that only its own machine reaches. `isOwnHost`: see `ownHosts` of the service. */
export function loopbackFront(isOwnHost: (host: string) => boolean): Front {
  return {
    refuse: ({ headers }) => (isOwnHost(headers.host ?? "") ? null : strangeName),
    originOf: ({ headers }) => `http://${headers.host}`,
    addressOf: ({ socket }) => socket.remoteAddress ?? "",
    isSecure: false,
    isExposed: false,
  }
}

/** Anything else in the Host header may be DNS rebinding. */
const strangeName: Refusal = {
  status: 421,
  code: "BAD_REQUEST",
  message: "this service answers only to its own loopback address",
}
