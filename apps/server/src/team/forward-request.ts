import type { IncomingMessage, ServerResponse } from "node:http"
import { readBody } from "@docket/api"
import { DocketError } from "@docket/core"
import { addressHeader } from "./create-accounts.ts"

export interface Forwarding {
  /** The public address, whatever Host is. */
  url: string
  /** The client's address. */
  address: string
  /** Path to use instead of the request's own. */
  path?: string | undefined
}

/** No sign-in request is larger (bytes). */
const maxBytes = 64 * 1024

/** Maximum length of the user agent, which is stored with each sign-in (characters); browsers use half of it. */
const longestAgent = 500

/** Headers that better-auth reads. Others are dropped, above all forwarded addresses. */
const handedOn = ["accept", "content-type", "cookie", "origin", "sec-fetch-site", "user-agent"]

/** The request in the form for better-auth. `body` replaces its own. */
export async function toWebRequest(
  req: IncomingMessage,
  { url, address, path }: Forwarding,
  body?: object,
): Promise<Request> {
  const headers = new Headers({ [addressHeader]: address })
  for (const name of handedOn) {
    // With a token, the token identifies the caller: a cookie beside it would make the audit entry name another user.
    if (name === "cookie" && req.headers.authorization !== undefined) continue
    const value = req.headers[name]
    if (typeof value === "string") headers.set(name, name === "user-agent" ? value.slice(0, longestAgent) : value)
  }
  const method = req.method ?? "GET"
  const target = new URL(path ?? req.url ?? "/", url)
  if (method === "GET" || method === "HEAD") return new Request(target, { method, headers })
  const bytes = body === undefined ? await readBody(req, maxBytes) : Buffer.from(JSON.stringify(body))
  if (bytes === null) throw new DocketError("invalid_input", `the request body is larger than ${maxBytes} bytes`)
  headers.set("content-type", "application/json")
  return new Request(target, { method, headers, body: bytes.length === 0 ? "{}" : new Uint8Array(bytes) })
}

/** Sends better-auth's answer, with its cookies. */
export async function sendWebResponse(response: Response, res: ServerResponse): Promise<void> {
  setCookies(response, res)
  for (const name of ["content-type", "location"]) {
    const value = response.headers.get(name)
    if (value !== null) res.setHeader(name, value)
  }
  res.writeHead(response.status)
  res.end(Buffer.from(await response.arrayBuffer()))
}

export function setCookies(response: Response, res: ServerResponse): void {
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) res.setHeader("set-cookie", cookies)
}
