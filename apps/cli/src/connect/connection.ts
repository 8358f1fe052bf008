/** A service that the CLI talks to. `close` stops it only if the CLI started it. */
export interface Connection {
  url: string
  tokenFile: string
  close(): Promise<void>
  /** Aborts, with the reason, when a service that the CLI started exits by itself. */
  ended: AbortSignal
}
