import type { AppRouter } from "@docket/api/router"
import type { DocketErrorCode } from "@docket/core"
import { TRPCClientError } from "@trpc/client"

export type DocketClientError = TRPCClientError<AppRouter>

/** The message of a call without an answer, in place of the browser's "Failed to fetch". */
export const docketUnreachable = "Docket cannot be reached. Try again when the connection is back."

/** The call got no answer from the service. */
export class NotReached extends Error {
  /** Whether repeating the call is useless. */
  readonly isLasting: boolean
  constructor(message: string, { isLasting, cause }: { isLasting: boolean; cause?: unknown }) {
    super(message, { cause })
    this.name = "NotReached"
    this.isLasting = isLasting
  }
}

/** The error when something other than Docket answered. A 5xx may come from a proxy whose service is down for now. */
export function notDocket(url: string, { status, headers }: Response): NotReached {
  const type = headers.get("content-type")?.split(";")[0] ?? "no content"
  const message = `What answered at ${url} is not Docket (${status}, ${type}). The address is wrong, or what stands in front of Docket does not reach it.`
  return new NotReached(message, { isLasting: status < 500 && !isPassing(status) })
}

/** The error when there was no answer. Node gives an error code as the reason; browsers give none. */
export function noAnswer(url: string, cause: TypeError): NotReached {
  const lasting = (message: string) => new NotReached(message, { isLasting: true, cause })
  const passing = (message: string) => new NotReached(message, { isLasting: false, cause })
  const at = originOf(url)
  if (at === null) return lasting(`"${url}" is not an address of Docket. It begins with http:// or https://.`)
  const code = codeOf(cause)
  if (code === null)
    return passing(at === pageAddress ? docketUnreachable : `${at} gives no answer. ${docketUnreachable}`)
  if (code === "CERT_HAS_EXPIRED") return lasting(`The certificate of ${at} has expired (${code}). Renew it there.`)
  if (code === "CERT_NOT_YET_VALID")
    return lasting(`The certificate of ${at} is not valid yet (${code}). Set the clocks of both machines right.`)
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID" || code === "HOSTNAME_MISMATCH")
    return lasting(`The certificate of ${at} is for another name (${code}). Use the name that it is for.`)
  if (untrusted.test(code)) {
    const advice = "Have this machine trust who signed it, in Node by NODE_EXTRA_CA_CERTS. Trying again does not help."
    return lasting(`The certificate of ${at} is not trusted (${code}). ${advice}`)
  }
  if (/^ERR_SSL_|^EPROTO$/.test(code))
    return lasting(`What answers at ${at} does not speak TLS (${code}). Does its address begin with http://?`)
  if (/^HPE_/.test(code))
    return lasting(`What answers at ${at} does not speak HTTP (${code}). Does its address begin with https://?`)
  if (code === "ENOTFOUND") return passing(`There is no host of the name in ${at} (${code}). ${docketUnreachable}`)
  if (code === "ECONNREFUSED") return passing(`Nothing takes connections at ${at} (${code}). ${docketUnreachable}`)
  return passing(`${at} gives no answer (${code}). ${docketUnreachable}`)
}

/** Codes of Node for certificates. Source: X509 certificate error codes, https://nodejs.org/api/tls.html */
const untrusted = /CERT|^UNABLE_TO_|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/

const pageAddress = "this address"

/**
 * Scheme, host and port for a message; "this address" for a URL without them, as in Docket's own web app. Null when it
 * is no address.
 */
function originOf(url: string): string | null {
  if (url === "" || url.startsWith("/")) return pageAddress
  if (!URL.canParse(url)) return null
  const { protocol, origin } = new URL(url)
  return /^https?:$/.test(protocol) ? origin : null
}

/** The code of the innermost `cause`. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const inner = codeOf(error.cause)
  return inner ?? ("code" in error && typeof error.code === "string" ? error.code : null)
}

/** Whether the call did not reach Docket and repeating it is useless. */
export function isLasting(error: unknown): error is DocketClientError {
  return isClientError(error) && error.cause instanceof NotReached && error.cause.isLasting
}

/** Whether a call failed in the transport or with an answer of the service. */
export function isClientError(error: unknown): error is DocketClientError {
  return error instanceof TRPCClientError
}

/** The code of an expected failure, e.g. `session_not_found`; null for anything else. */
export function docketCode(error: unknown): DocketErrorCode | null {
  return (isClientError(error) ? error.data?.docketCode : null) ?? null
}

/** The HTTP status of the service's answer; null when the service did not answer. */
export function httpStatus(error: unknown): number | null {
  return (isClientError(error) ? error.data?.httpStatus : null) ?? null
}

/** Statuses below 500 after which a repeated call may succeed: timeouts and rate limits. */
const passingStatuses = [408, 429]

export function isPassing(status: number): boolean {
  return passingStatuses.includes(status)
}

/** Whether the answer stays the same when the call is repeated: not signed in, not allowed, no such session. */
export function isRefusal(error: unknown): error is DocketClientError {
  const status = httpStatus(error) ?? 0
  return status >= 400 && status < 500 && !isPassing(status)
}

/** Seconds to wait after a 429 answer, as the service says; null for all other errors. */
export function retryAfter(error: unknown): number | null {
  const response = isClientError(error) ? error.meta?.response : undefined
  const seconds = response instanceof Response ? Number(response.headers.get("retry-after") ?? Number.NaN) : Number.NaN
  return Number.isFinite(seconds) ? seconds : null
}
