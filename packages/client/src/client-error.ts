import type { AppRouter } from "@docket/api/router"
import type { DocketErrorCode } from "@docket/core"
import { TRPCClientError } from "@trpc/client"

export type DocketClientError = TRPCClientError<AppRouter>

/** What a call that got no answer says; a browser's own words for it, "Failed to fetch", help nobody. */
export const docketUnreachable = "Docket cannot be reached. Try again when the connection is back."

/** What a call says that something else answered: a proxy whose service is away, a page. */
export function notDocket(url: string, { status, headers }: Response): string {
  const type = headers.get("content-type")?.split(";")[0] ?? "no content"
  return `What answered at ${url} is not Docket (${status}, ${type}). The address is wrong, or what stands in front of Docket does not reach it.`
}

/** Whether a call failed in the transport or with an answer of the service. */
export function isClientError(error: unknown): error is DocketClientError {
  return error instanceof TRPCClientError
}

/** The code of an expected failure, e.g. `session_not_found`; null for anything else. */
export function docketCode(error: unknown): DocketErrorCode | null {
  return (isClientError(error) ? error.data?.docketCode : null) ?? null
}

/** The HTTP status that the service answered with; null when it did not answer, or something else did. */
export function httpStatus(error: unknown): number | null {
  return (isClientError(error) ? error.data?.httpStatus : null) ?? null
}

/** Answers that another try may change: the request was slow, or one of too many. */
const passing = [408, 429]

/** An answer that asking again would not change: not signed in, not allowed, no such session. */
export function isRefusal(error: unknown): error is DocketClientError {
  const status = httpStatus(error) ?? 0
  return status >= 400 && status < 500 && !passing.includes(status)
}

/** How long to wait before the call is made again (s), where the service says so: too many were made (429). Null else. */
export function retryAfter(error: unknown): number | null {
  const response = isClientError(error) ? error.meta?.response : undefined
  const seconds = response instanceof Response ? Number(response.headers.get("retry-after") ?? Number.NaN) : Number.NaN
  return Number.isFinite(seconds) ? seconds : null
}
