import { httpStatus, isClientError } from "@docket/client"

/** Why a prompt was not sent, for the person. */
export type SendProblem =
  | { kind: "refused"; words: string }
  /** Nothing reached the server; `lost` once the page has noticed that too. */
  | { kind: "unreachable"; lost: boolean }
  /** The connection came back since: news, not an error. */
  | { kind: "back" }

/** A failure without an HTTP status never reached the server; the browser's own words for it say nothing. */
export function sendProblem(error: unknown): SendProblem {
  if (isClientError(error) && httpStatus(error) !== null) return { kind: "refused", words: error.message }
  return { kind: "unreachable", lost: false }
}

/** What a problem has become under the page's connection. */
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
