import type { RequestListener, Server } from "node:http"
import type { Ingress } from "@docket/api"
import type { Timers } from "@docket/core/timers"

export interface OpenIngressDeps {
  /** A line for the user. */
  report(phase: string): void
  /** By which renewed certificates are found. */
  timers?: Timers
}

/** How requests come in, and the server that takes them. */
export interface OpenedIngress {
  ingress: Ingress
  /** Where people reach the service; null on its own machine only. */
  publicUrl: string | null
  createServer(answer: RequestListener): Server
  /** Says by which address the service listens, e.g. `https://0.0.0.0:443`; answers with the one for programs on this machine. */
  listensOn(origin: string): string
  close(): void
}
