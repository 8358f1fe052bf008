import type { Caller, MessageError, Part } from "../../ground/schema/index.ts"

/** The user stopped the work; reaches tools through their signal. */
export class StoppedByUser extends Error {
  /** Who it was, where that is known. */
  readonly by: Caller | undefined

  constructor(by?: Caller) {
    super("Stopped by the user.")
    this.name = "AbortError"
    this.by = by
  }
}

/** Whoever the work was for is gone. What works for them is stopped one by one, and nothing with it that is of others. */
export class PersonGone extends StoppedByUser {}

/** The process is shutting down. */
export class ServiceStopping extends Error {
  constructor() {
    super("Docket is stopping.")
    this.name = "AbortError"
  }
}

/** A limit of the tree or of a task ended the work; `message` says which. */
export class LimitReached extends Error {
  constructor(message: string) {
    super(message)
    this.name = "AbortError"
  }
}

/** There is no database to wait for: it is away for too long, or another process has it and may go on with the work. */
export class DatabaseLost extends Error {
  constructor(message: string) {
    super(message)
    this.name = "AbortError"
  }
}

/** Whether work was stopped because this process ends or may not go on with it, not because anybody wished it. */
export function isEndOfProcess(reason: unknown): boolean {
  return reason instanceof ServiceStopping || reason instanceof DatabaseLost
}

/** How a turn ends that an aborted signal stopped. */
export function stopStatus(signal: AbortSignal): "aborted" | "failed" {
  const { reason } = signal
  return reason instanceof LimitReached || reason instanceof DatabaseLost ? "failed" : "aborted"
}

/** How a turn ends in which the user rejected a call without a word. */
export const rejectedError: MessageError = {
  name: "RejectedError",
  message: "The work ended because the user rejected a call of it.",
  statusCode: null,
  retryable: false,
}

/** What an aborted signal leaves in the transcript. */
export function stopError(signal: AbortSignal): MessageError {
  const rest = { statusCode: null, retryable: false }
  if (signal.reason instanceof ServiceStopping) {
    return { ...rest, name: "InterruptedError", message: "Docket was stopped while this ran. Send a prompt to go on." }
  }
  if (signal.reason instanceof LimitReached) {
    return { ...rest, name: "LimitReachedError", message: signal.reason.message }
  }
  if (signal.reason instanceof DatabaseLost) {
    const message = `${signal.reason.message} The work was stopped. Send a prompt to go on.`
    return { ...rest, name: "InterruptedError", message }
  }
  return { ...rest, name: "AbortedError", message: "Stopped.", ...stoppedBy(signal.reason) }
}

/** The person who stopped the work for this reason; nothing when nobody did, or nobody knows who. */
export function stoppedBy(reason: unknown): { by?: Caller } {
  return reason instanceof StoppedByUser && reason.by !== undefined ? { by: reason.by } : {}
}

/** What the metadata of a call says after which its turn is over. */
export const endMark = { ends: true } as const

/** Whether a turn is over with this call, also when a crash came before its end was stored. */
export function endsTurn(part: Part): boolean {
  return part.type === "tool" && part.state.status === "completed" && part.state.metadata.ends === true
}
