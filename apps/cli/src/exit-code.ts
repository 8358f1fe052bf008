import { docketCode, httpStatus, isClientError } from "@docket/client"
import { tlsMessage } from "./remote/tls-message.ts"
import { UsageError } from "./usage-error.ts"

/** Exit codes: 0 done, 1 the turn failed, 2 wrong usage or a refusal of the service, 130 stopped with Ctrl-C. */
export const exitCode = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const

/** The message for a token that is not valid any more. */
export const tokenRefused =
  "the service refused the token; sign in again with docket login --server, or check --token-file and --data"

/** The text to print for an error and the exit code. An expected failure is one line; a bug keeps its stack trace. */
export function describeFailure(error: unknown): { text: string; code: number } {
  if (error instanceof UsageError) return { text: error.message, code: exitCode.usage }
  if (!isClientError(error))
    return { text: error instanceof Error ? (error.stack ?? error.message) : String(error), code: exitCode.failed }
  if (docketCode(error) !== null) return { text: oneLine(error.message), code: exitCode.usage }
  const status = httpStatus(error)
  if (status === 401) return { text: tokenRefused, code: exitCode.usage }
  if (status === 400) return { text: oneLine(error.message), code: exitCode.usage }
  if (status === null)
    return { text: `the service does not answer: ${tlsMessage(error) ?? oneLine(error.message)}`, code: exitCode.usage }
  return { text: oneLine(error.message), code: exitCode.failed }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim()
}
