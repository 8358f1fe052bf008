import type { RequestListener, Server } from "node:http"
import type { Ingress } from "@docket/api"
import type { Timers } from "@docket/core/timers"

export interface OpenIngressDeps {
  /** A message for the user. */
  report(phase: string): void
  /** Timers for the check for renewed certificates. */
  timers?: Timers
}

/** How requests arrive, and the server that receives them. */
export interface OpenedIngress {
  ingress: Ingress
  /** The address of a team's service; null when only this machine can connect. */
  publicUrl: string | null
  createServer(answer: RequestListener): Server
  /**
   * Reports the address on which the service listens, e.g. `https://0.0.0.0:443`; returns the one for programs on this
   * machine.
   */
  listensOn(origin: string): string
  close(): void
}
