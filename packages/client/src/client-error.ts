import type { AppRouter } from "@docket/api/router"
import type { DocketErrorCode } from "@docket/core"
import { TRPCClientError } from "@trpc/client"

export type DocketClientError = TRPCClientError<AppRouter>

/** What a call that got no answer says; a browser's own words for it, "Failed to fetch", help nobody. */
export const docketUnreachable = "Docket cannot be reached. Try again when the connection is back."

/** Whether a call failed in the transport or with an answer of the service. */
export function isClientError(error: unknown): error is DocketClientError {
  return error instanceof TRPCClientError
}

/** The code of an expected failure, e.g. `session_not_found`; null for anything else. */
export function docketCode(error: unknown): DocketErrorCode | null {
  return (isClientError(error) ? error.data?.docketCode : null) ?? null
}

/** The HTTP status that the service answered with; null when it did not answer. */
export function httpStatus(error: unknown): number | null {
  return (isClientError(error) ? error.data?.httpStatus : null) ?? null
}
