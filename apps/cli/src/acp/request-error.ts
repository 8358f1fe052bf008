import { RequestError } from "@agentclientprotocol/sdk/unstable"
import { docketCode, httpStatus } from "@docket/client"
import { describeFailure } from "../exit-code.ts"

/** Of the protocol: what a request names does not exist. */
const notFound = -32_002
const internal = -32_603

/** The error that answers a request, in words that the editor shows to its user. */
export function requestError(error: unknown, log: (text: string) => void): RequestError {
  if (error instanceof RequestError) return error
  const { text, code } = describeFailure(error)
  if (httpStatus(error) === 401) return RequestError.authRequired(undefined, text)
  if (docketCode(error)?.endsWith("_not_found")) return new RequestError(notFound, text)
  // Of a bug, the text is a stack: that is for the log.
  if (code !== 1 || !(error instanceof Error)) return new RequestError(internal, text)
  log(text)
  return new RequestError(internal, error.message)
}
