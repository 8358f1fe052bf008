import type { IncomingMessage } from "node:http"
import type { Refusal } from "./refusal.ts"

/** Decides which requests are served, from which client they come, and at which origin browsers reach the service. */
export interface Ingress {
  /**
   * Refuses an unknown host name, and a request that bypasses the configured proxy or TLS. Null when it may be served.
   */
  refuse(req: IncomingMessage): Refusal | null
  /** Scheme, host and port for links, e.g. `https://docket.example.org`. */
  originOf(req: IncomingMessage): string
  /** The address of the client, not of a proxy. */
  addressOf(req: IncomingMessage): string
  /** Whether browsers use TLS: cookies are then marked `Secure`. */
  isSecure: boolean
  /** Whether passwords and cookies cross the network unencrypted. */
  isExposed: boolean
}

/** The ingress of a service that only its own machine can reach. `isOwnHost`: see `ownHosts` of the service. */
export function loopbackIngress(isOwnHost: (host: string) => boolean): Ingress {
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
