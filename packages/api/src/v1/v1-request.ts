import type { IncomingMessage, ServerResponse } from "node:http"
import type { Tenant } from "@docket/core"
import { maxBodyBytes } from "../http/body-limit.ts"
import { readBody } from "../http/read-body.ts"
import { sendJson } from "../http/respond.ts"

/** A request to `/v1` whose bearer token was checked. */
export interface V1Request {
  req: IncomingMessage
  res: ServerResponse
  url: URL
  method: string
  /** The path's segments after `/v1`, e.g. `["todos", "14"]`. */
  path: string[]
  tenant: Tenant
  /** What the token is called: recorded with every change. */
  caller: string
}

/** A refusal of `/v1`: `{"error": message}` with the status. */
export class V1Error extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.name = "V1Error"
    this.status = status
  }
}

export function sendV1Error(res: ServerResponse, status: number, message: string): void {
  sendJson(res, status, { error: message })
}

/** Refusals that come before a resource is known are plain text. */
export function sendPlain(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { "content-type": "text/plain; charset=utf-8", "content-length": Buffer.byteLength(text) })
  res.end(res.req.method === "HEAD" ? undefined : text)
}

/** The body as JSON. @throws V1Error 400 or 413 */
export async function readV1Json(req: IncomingMessage): Promise<unknown> {
  const text = await readBody(req, maxBodyBytes)
  if (text === null) throw new V1Error(413, `the body is larger than ${maxBodyBytes} bytes`)
  try {
    return JSON.parse(text)
  } catch {
    throw new V1Error(400, "invalid JSON")
  }
}
