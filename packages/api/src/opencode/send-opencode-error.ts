import type { ServerResponse } from "node:http"
import { isDocketError } from "@docket/core"
import type { BadRequestError } from "@opencode-ai/sdk"
import type { InvalidRequestError, NotFoundError, UnknownError } from "@opencode-ai/sdk/v2/types"
import { errorStatus } from "../error-status.ts"
import { sendJson } from "../http/respond.ts"
import { unexpectedWords } from "../unexpected-words.ts"
import { V1Error } from "../v1/v1-error.ts"
import { OpencodeError } from "./opencode-error.ts"

/** Answers with an error in the form of OpenCode's server, without internals. */
export function sendOpencodeError(
  res: ServerResponse,
  error: unknown,
  log: (text: string, error: unknown) => void,
): void {
  const isHungUp = res.req.destroyed && !res.req.complete
  if (res.headersSent || isHungUp) return void res.destroy()
  const { status, message } = refusalOf(error)
  if (status === 500) log(`${res.req.method} ${res.req.url?.split("?")[0]} failed`, error)
  sendJson(res, status, opencodeError(status, message))
}

function refusalOf(error: unknown): { status: number; message: string } {
  if (error instanceof OpencodeError || error instanceof V1Error) return error
  if (isDocketError(error)) return { status: errorStatus[error.code].http, message: error.message }
  return { status: 500, message: unexpectedWords(error) }
}

/** An invalid request has the names of both generations of OpenCode's SDK. */
function opencodeError(
  status: number,
  message: string,
): NotFoundError | UnknownError | (BadRequestError & InvalidRequestError) {
  const data = { message }
  if (status === 400) return { name: "BadRequest", _tag: "InvalidRequestError", message, data }
  return { name: status === 404 ? "NotFoundError" : "UnknownError", data }
}
