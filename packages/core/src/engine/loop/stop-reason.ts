import type { Caller, MessageError, Part } from "../../ground/schema/index.ts"

/** The user stopped the work. Tools receive it as the reason of their signal. */
export class StoppedByUser extends Error {
  /** The user, if known. */
  readonly by: Caller | undefined

  constructor(by?: Caller) {
    super("Stopped by the user.")
    this.name = "AbortError"
    this.by = by
  }
}

/** The user for whom the work ran has left the workspace. Only their work is stopped; that of others continues. */
export class PersonGone extends StoppedByUser {}

/** The process is shutting down. */
export class ServiceStopping extends Error {
  constructor() {
    super("Docket is stopping.")
    this.name = "AbortError"
  }
}

/** A limit of the tree or of a task ended the work; `message` names the limit. */
export class LimitReached extends Error {
  constructor(message: string) {
    super(message)
    this.name = "AbortError"
  }
}

/** A program that does the work of an agent ended a command that it had started. */
export class EndedByProgram extends Error {
  constructor() {
    super("The program ended it.")
    this.name = "AbortError"
  }
}

/** The database is gone for too long, or another process has the work and may continue it. */
export class DatabaseLost extends Error {
  constructor(message: string) {
    super(message)
    this.name = "AbortError"
  }
}

/** Whether work stopped because this process ends or lost the work, and not because somebody asked for it. */
export function isEndOfProcess(reason: unknown): boolean {
  return reason instanceof ServiceStopping || reason instanceof DatabaseLost
}

/** The status of a turn that an aborted signal stopped. */
export function stopStatus(signal: AbortSignal): "aborted" | "failed" {
  const { reason } = signal
  return reason instanceof LimitReached || reason instanceof DatabaseLost ? "failed" : "aborted"
}

/** The error of a turn in which the user rejected a call without a message. */
export const rejectedError: MessageError = {
  name: "RejectedError",
  message: "The work ended because the user rejected a call of it.",
  statusCode: null,
  retryable: false,
}

/** The error that an aborted signal leaves in the transcript. */
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

/** The user who stopped the work; empty when nobody did or the user is unknown. */
export function stoppedBy(reason: unknown): { by?: Caller } {
  return reason instanceof StoppedByUser && reason.by !== undefined ? { by: reason.by } : {}
}

/** The metadata of a call that ends its turn. */
export const callEndsTurn = { ends: true } as const

/** Whether this call ends the turn, also when a crash prevented the end from being stored. */
export function endsTurn(part: Part): boolean {
  if (part.type !== "tool") return false
  const { state } = part
  return (state.status === "completed" || state.status === "error") && state.metadata.ends === true
}
