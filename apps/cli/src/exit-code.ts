import { docketCode, httpStatus, isClientError } from "@docket/client"
import { tlsMessage } from "./remote/tls-message.ts"
import { UnreachableError } from "./unreachable-error.ts"
import { UsageError } from "./usage-error.ts"

/** The exit codes of all commands, as docs/command-line.md lists them. */
export const exitCode = {
  done: 0,
  failed: 1,
  /** A wrong command line, or a refusal of the service. */
  usage: 2,
  /** The turn ended, but a request for permission or a question of it was refused. */
  refused: 3,
  /** The turn ended at a limit of time, tokens, cost or steps. */
  limit: 4,
  /** No service answers. */
  unreachable: 5,
  /** Ctrl-C, or somebody stopped the session. */
  stopped: 130,
} as const

/** The message for a token that is not valid any more. */
export const tokenRefused =
  "the service refused the token; sign in again with docket login --server, or check --token-file and --data"

const whatToCheck = "See that Docket runs there, and that --url or --server names the right address."

/** The text to print for an error and the exit code. An expected failure is one line; a bug keeps its stack trace. */
export function describeFailure(error: unknown): { text: string; code: number } {
  if (error instanceof UnreachableError) return { text: error.message, code: exitCode.unreachable }
  if (error instanceof UsageError) return { text: error.message, code: exitCode.usage }
  if (!isClientError(error))
    return { text: error instanceof Error ? (error.stack ?? error.message) : String(error), code: exitCode.failed }
  if (docketCode(error) !== null) return { text: oneLine(error.message), code: exitCode.usage }
  const status = httpStatus(error)
  if (status === 401) return { text: tokenRefused, code: exitCode.usage }
  if (status === 400) return { text: oneLine(error.message), code: exitCode.usage }
  if (status === null)
    return {
      text: `the service does not answer: ${tlsMessage(error) ?? `${oneLine(error.message)} ${whatToCheck}`}`,
      code: exitCode.unreachable,
    }
  return { text: oneLine(error.message), code: exitCode.failed }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim()
}
