import type { MessageError } from "../schema/index.ts"

/** The user stopped the work; reaches tools through their signal. */
export class StoppedByUser extends Error {
  constructor() {
    super("Stopped by the user.")
    this.name = "AbortError"
  }
}

/** The process is shutting down. */
export class ServiceStopping extends Error {
  constructor() {
    super("Docket is stopping.")
    this.name = "AbortError"
  }
}

/** What an aborted signal leaves in the transcript. */
export function stopError(signal: AbortSignal): MessageError {
  const rest = { statusCode: null, retryable: false }
  if (signal.reason instanceof ServiceStopping) {
    return { ...rest, name: "InterruptedError", message: "Docket was stopped while this ran. Send a prompt to go on." }
  }
  return { ...rest, name: "AbortedError", message: "Stopped." }
}
