/** How long a service lives beside the command that uses it. */
export interface ServiceLife {
  /** Whether the service goes on when the command has ended. */
  isLasting: boolean
  /** Stops the service if the CLI started it. */
  close(): Promise<void>
  /** Aborts, with the reason, when a service that the CLI started exits by itself. */
  ended: AbortSignal
}

/** A service that the CLI talks to. */
export interface Connection extends ServiceLife {
  url: string
  tokenFile: string
}

/** The life of a service that the CLI did not start: it may restart, and the command then continues. */
export function lasting(): ServiceLife {
  return { isLasting: true, close: async () => {}, ended: new AbortController().signal }
}
