import { httpStatus, isClientError } from "@docket/client"

/** Why a prompt was not sent, for the user. */
export type SendProblem =
  | { kind: "refused"; words: string }
  /** The server was not reached; `lost`: the page has noticed the lost connection too. */
  | { kind: "unreachable"; lost: boolean }
  /** The connection is back: shown as information, not as an error. */
  | { kind: "back" }

/**
 * Classifies a failure. Without an HTTP status the server was not reached, and the browser's error text does not help
 * the user.
 */
export function sendProblem(error: unknown): SendProblem {
  if (isClientError(error) && httpStatus(error) !== null) return { kind: "refused", words: error.message }
  return { kind: "unreachable", lost: false }
}

/** Updates a problem when the page's connection changes. */
export function withConnection(problem: SendProblem | null, connected: boolean): SendProblem | null {
  if (problem?.kind !== "unreachable") return problem
  if (!connected) return problem.lost ? problem : { kind: "unreachable", lost: true }
  return problem.lost ? { kind: "back" } : problem
}

export function problemMessage(problem: SendProblem): string {
  switch (problem.kind) {
    case "refused":
      return problem.words
    case "unreachable":
      return "Docket cannot be reached, so nothing was sent. Your text stays here: send it again when the connection is back."
    case "back":
      return "The connection is back. Your text was not sent: send it again."
  }
}
