/** A service to talk to. `close` stops it if it was started for us. */
export interface Connection {
  url: string
  tokenFile: string
  close(): Promise<void>
}
