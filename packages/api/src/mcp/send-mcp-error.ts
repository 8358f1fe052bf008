import type { ServerResponse } from "node:http"
import { isDocketError } from "@docket/core"
import { errorStatus } from "../error-status.ts"
import { sendJson } from "../http/respond.ts"
import { unexpectedWords } from "../unexpected-words.ts"
import { V1Error } from "../v1/v1-error.ts"

/** Refuses a request before it reaches the protocol, in the form of its errors. */
export function sendMcpError(res: ServerResponse, error: unknown, log: (text: string, error: unknown) => void): void {
  if (res.headersSent) return void res.destroy()
  const { status, message } = refusalOf(error)
  if (status === 500) log("POST /mcp failed", error)
  sendJson(res, status, { jsonrpc: "2.0", id: null, error: { code: refused, message } })
}

/** A code of the range that JSON-RPC leaves to servers. */
const refused = -32_000

function refusalOf(error: unknown): { status: number; message: string } {
  if (error instanceof V1Error) return error
  if (isDocketError(error)) return { status: errorStatus[error.code].http, message: error.message }
  return { status: 500, message: unexpectedWords(error) }
}
