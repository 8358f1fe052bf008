import type { ServerResponse } from "node:http"
import { isDocketError } from "@docket/core"
import { HTTPException } from "hono/http-exception"
import { errorStatus } from "../error-status.ts"
import { sendText } from "../http/respond.ts"
import { unexpectedWords } from "../unexpected-words.ts"
import { asksForProblem, sendProblem } from "./problem.ts"
import { V1Error } from "./v1-error.ts"

/** Answers with an error, without internals. */
export function sendV1Error(res: ServerResponse, error: Error, log: (text: string, error: unknown) => void): void {
  const { status, message, form } = refusalOf(error)
  if (status === 500) log(`${res.req.method} ${res.req.url?.split("?")[0]} failed`, error)
  if (form === "text" && !asksForProblem(res.req)) sendText(res, status, message)
  else sendProblem(res, status, message, isDocketError(error) ? { code: error.code } : {})
}

function refusalOf(error: Error): V1Error {
  if (error instanceof V1Error) return error
  if (isDocketError(error)) return new V1Error(errorStatus[error.code].http, error.message)
  // Hono itself refuses only a body that cannot be parsed.
  if (error instanceof HTTPException) return new V1Error(400, "invalid JSON")
  return new V1Error(500, unexpectedWords(error))
}
