/** A service to talk to. `close` stops it if it was started for us. */
export interface Connection {
  url: string
  tokenFile: string
  close(): Promise<void>
  /** Aborts, with the reason, when a service that was started for us ends by itself. */
  ended: AbortSignal
}
